import { hash } from 'node:crypto';
import type { Charge } from './sandbox-charge.repository.js';

const OUTCOMES: Readonly<Record<Charge['state'], string>> = {
  PENDING: 'This payment waits for your approval.',
  AUTHORIZED: 'Approved: the amount is reserved on your card.',
  CAPTURED: 'Approved: the payment was made.',
  REFUNDED: 'The payment was made and paid back.',
  DECLINED: 'Declined: no money was taken.',
  VOIDED: 'The shop gave the reserved amount back: no money was taken.',
  EXPIRED: 'The reservation of the amount has ended: no money was taken.',
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

const STYLE = `
:root { color-scheme: light dark; --paper: #eef1f6; --card: #fff; --ink: #16202e; --quiet: #5a6678; --line: #d7dde7; --go: #14663c; --on-go: #fff; }
@media (prefers-color-scheme: dark) { :root { --paper: #0e131b; --card: #171e29; --ink: #e8edf5; --quiet: #9aa7ba; --line: #2b3545; --go: #5fd396; --on-go: #06170d; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 Inter, system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
header { display: flex; gap: .75rem; align-items: baseline; justify-content: space-between; color: var(--quiet); font-size: .875rem; }
h1 { margin: 1.5rem 0 .25rem; font-size: 1.25rem; }
p { margin: .5rem 0; color: var(--quiet); overflow-wrap: anywhere; }
p.amount { margin: 0; color: var(--ink); font-size: 2.25rem; font-weight: 700; letter-spacing: -.02em; }
form { margin-top: .75rem; }
button, .back { display: block; width: 100%; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: none; color: var(--ink); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button.approve { border-color: var(--go); background: var(--go); color: var(--on-go); }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
`;
const STYLE_DIGEST = hash('sha256', STYLE, 'base64');

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
    `style-src 'sha256-${STYLE_DIGEST}'`,
  ].join(';'),
  'cross-origin-opener-policy': 'unsafe-none',
  'x-frame-options': 'DENY',
};

/** The customer's side of 3-D Secure. */
export function authenticationPage(charge: Charge): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox authentication</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<style>${STYLE}</style></head>
<body>
<main>
<header><strong>Sandbox Bank</strong><span>3-D Secure</span></header>
<h1>Sandbox authentication</h1>
<p class="amount">${escapeHtml(formatAmount(charge))}</p>
<p>Order ${escapeHtml(charge.orderId)}. No money moves.</p>
<p id="outcome" role="status">${OUTCOMES[charge.state]}</p>
${charge.state === 'PENDING' ? buttons(charge.id) : wayBack(charge)}
</main>
</body>
</html>
`;
}

function formatAmount({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The text depends on the button; the URL decides what happens. */
function buttons(id: string): string {
  const path = encodeURIComponent(id);
  return ['approve', 'decline']
    .map(
      (verb) => `<form method="post" action="${path}/${verb}"><button class="${verb}">${label(verb)}</button></form>`,
    )
    .join('\n');
}

function wayBack({ returnUrl, orderId, state }: Charge): string {
  if (returnUrl === undefined) return '<p>You may close this window.</p>';
  const url = new URL(returnUrl);
  url.searchParams.set('orderId', orderId);
  const told = `data-order="${escapeHtml(orderId)}" data-state="${state}"`;
  return `<p><a id="back" class="back" ${told} href="${escapeHtml(url.href)}">Back to the shop</a></p>\n<script>${SCRIPT}</script>`;
}

function label(verb: string): string {
  return verb === 'approve' ? 'Approve' : 'Decline';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
