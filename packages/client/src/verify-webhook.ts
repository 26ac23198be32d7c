import type { Schemas } from './operation.js';
import { CheckoutError } from './problem-error.js';

/** The body is not what the service signed: answer 400 and do nothing. */
export class WebhookSignatureError extends CheckoutError {}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook, if one of the secrets signed it (Standard Webhooks). The body is the raw text as it arrived: JSON
 * that was parsed and written again is another text. While a secret is rotated, pass both.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  now: number = Date.now(),
): Promise<Schemas['DomainEvent']> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature').split(' ');
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
    throw new WebhookSignatureError('The time of the webhook is missing or too far away');
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey('raw', bytesOf(one.replace(/^whsec_/, '')), HMAC, false, ['verify']);
    for (const signature of signatures) {
      const [version, value = ''] = signature.split(',');
      if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed))) {
        return JSON.parse(body) as Schemas['DomainEvent'];
      }
    }
  }
  throw new WebhookSignatureError('No signature of the webhook fits its body');
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return String(value ?? '');
}

/** Base64. What is none has no bytes, and fits no signature. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
