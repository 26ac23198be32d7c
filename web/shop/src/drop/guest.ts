/** A queue wants to know who joins. Nobody has to say who they are: an address of their own is made up for them. */
export function guestAddress(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `guest-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}@example.com`;
}
