/**
 * One mailbox, one text: case does not matter anywhere in practice, what follows a plus is the owner's own label, and Google
 * ignores dots. For telling people apart only: mail goes to the address as it was written.
 */
export function normaliseEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const [mailbox = ''] = email.slice(0, at).trim().toLowerCase().split('+');
  const isGoogle = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGoogle ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}
