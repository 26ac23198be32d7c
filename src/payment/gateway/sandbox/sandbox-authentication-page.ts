import type { Charge } from './sandbox-charge.repository.js';

const OUTCOMES: Readonly<Record<Charge['state'], string>> = {
  PENDING: 'This payment waits for your approval.',
  CAPTURED: 'Approved: the payment was made.',
  REFUNDED: 'The payment was made and paid back.',
  DECLINED: 'Declined: no money was taken.',
  CANCELLED: 'The shop gave up this payment: no money was taken.',
};

/**
 * The customer's page for 3-D Secure. It has no script and no inline style, so that every content security policy
 * allows it.
 */
export function authenticationPage(charge: Charge): string {
  const amount = escapeHtml(`${charge.amount} ${charge.currency} (minor units)`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox authentication</title>
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"></head>
<body>
<h1>Sandbox authentication</h1>
<p>${amount} for order ${escapeHtml(charge.orderId)}.</p>
<p>${OUTCOMES[charge.state]}</p>
${charge.state === 'PENDING' ? buttons(charge.id) : ''}
</body>
</html>
`;
}

/** The text depends on the button; the URL decides what happens. */
function buttons(id: string): string {
  const path = `/v1/sandbox/authentications/${encodeURIComponent(id)}`;
  return ['approve', 'decline']
    .map((verb) => `<form method="post" action="${path}/${verb}"><button type="submit">${label(verb)}</button></form>`)
    .join('\n');
}

function label(verb: string): string {
  return verb === 'approve' ? 'Approve' : 'Decline';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
