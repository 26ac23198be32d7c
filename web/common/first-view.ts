const NAME = 'first-view';

/** Notes when a page shows what its visitor came for, its data included; tests hold it against the limit. */
export function markFirstView(): void {
  if (performance.getEntriesByName(NAME).length === 0) performance.mark(NAME);
}
