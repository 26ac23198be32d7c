import { hash } from 'node:crypto';
import type { Charge } from './sandbox-charge.repository.js';

const OUTCOMES: Readonly<Record<Charge['state'], string>> = {
  PENDING: 'This payment waits for your approval.',
  CAPTURED: 'Approved: the payment was made.',
  REFUNDED: 'The payment was made and paid back.',
  DECLINED: 'Declined: no money was taken.',
  CANCELLED: 'The shop gave up this payment: no money was taken.',
};

/**
 * Leads the customer back. A popup posts a message to the page that opened it, at the origin of the return URL and at no
 * other, and closes; any other window goes to the return URL. Without scripts the link does the same.
 */
const SCRIPT = `
const { href, dataset } = document.getElementById('back');
if (window.opener) {
  window.opener.postMessage({ type: 'checkout-saga.authentication', orderId: dataset.order, state: dataset.state }, new URL(href).origin);
  window.close();
} else location.replace(href);
`;
const SCRIPT_DIGEST = hash('sha256', SCRIPT, 'base64');

/**
 * The page may run this one script, send its own forms and nothing else. It keeps the window that opened it, which the
 * service's pages otherwise cut off: without that a popup could not say that it is done.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `script-src 'sha256-${SCRIPT_DIGEST}'`,
  ].join(';'),
  'cross-origin-opener-policy': 'unsafe-none',
  'x-frame-options': 'DENY',
};

/** The customer's side of 3-D Secure. */
export function authenticationPage(charge: Charge): string {
  const amount = escapeHtml(`${charge.amount} ${charge.currency} (minor units)`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox authentication</title>
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"></head>
<body>
<h1>Sandbox authentication</h1>
<p>${amount} for order ${escapeHtml(charge.orderId)}.</p>
<p id="outcome">${OUTCOMES[charge.state]}</p>
${charge.state === 'PENDING' ? buttons(charge.id) : wayBack(charge)}
</body>
</html>
`;
}

/** The text depends on the button; the URL decides what happens. */
function buttons(id: string): string {
  const path = encodeURIComponent(id);
  return ['approve', 'decline']
    .map((verb) => `<form method="post" action="${path}/${verb}"><button type="submit">${label(verb)}</button></form>`)
    .join('\n');
}

function wayBack({ returnUrl, orderId, state }: Charge): string {
  if (returnUrl === undefined) return '<p>You may close this window.</p>';
  const url = new URL(returnUrl);
  url.searchParams.set('orderId', orderId);
  const told = `data-order="${escapeHtml(orderId)}" data-state="${state}"`;
  return `<p><a id="back" ${told} href="${escapeHtml(url.href)}">Back to the shop</a></p>\n<script>${SCRIPT}</script>`;
}

function label(verb: string): string {
  return verb === 'approve' ? 'Approve' : 'Decline';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
