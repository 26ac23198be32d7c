/** Stable per saga and operation: after any crash the provider sees the same key again and charges once. */
export function chargeKeyOf(data: { readonly sagaId: string }): string {
  return `charge:${data.sagaId}`;
}
