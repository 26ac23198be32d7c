import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookSignatureError } from '../../packages/client/src/public-api.js';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, so').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one of thirty-two bytes.').toString('base64')}`;
const NOW = 1_763_200_000_000;

/** As the reference implementation signs it. */
function headersOf(body: string, secret = SECRET, at = NOW) {
  const timestamp = new Date(at);
  return {
    'webhook-id': 'msg-1',
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg-1', timestamp, body),
  };
}

describe('verifyWebhook', () => {
  it('takes what the reference implementation signs, whatever the body, and no other body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        await expect(verifyWebhook(body, headersOf(body), SECRET, NOW)).resolves.toEqual(JSON.parse(body));
        const changed = verifyWebhook(`${body} `, new Headers(headersOf(body)), SECRET, NOW);
        await expect(changed).rejects.toBeInstanceOf(WebhookSignatureError);
      }),
      { numRuns: 25 },
    );
  });

  it('takes either secret while one is rotated, and one good signature among several', async () => {
    const headers = headersOf('{}', OTHER);
    await expect(verifyWebhook('{}', headers, SECRET, NOW)).rejects.toBeInstanceOf(WebhookSignatureError);
    await expect(verifyWebhook('{}', headers, [SECRET, OTHER], NOW)).resolves.toEqual({});
    const both = `v1a,x ${headersOf('{}')['webhook-signature']} ${headers['webhook-signature']}`;
    await expect(verifyWebhook('{}', { ...headers, 'webhook-signature': both }, SECRET, NOW)).resolves.toEqual({});
  });

  it('refuses what is old, from the future, unsigned or no signature', async () => {
    const refused = (headers: Record<string, string>, now = NOW) =>
      expect(verifyWebhook('{}', headers, SECRET, now)).rejects.toBeInstanceOf(WebhookSignatureError);
    await refused(headersOf('{}'), NOW + 301_000);
    await refused(headersOf('{}'), NOW - 301_000);
    await refused({});
    await refused({ ...headersOf('{}'), 'webhook-signature': 'v1,%%%' });
    await refused({ ...headersOf('{}'), 'webhook-id': 'msg-2' });
  });
});
