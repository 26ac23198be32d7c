export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The operating system's code (`EACCES`), where the error has one. */
export function systemCodeOf(error: unknown): string | undefined {
  return textIn(error, 'code');
}

/** The file that a failed call of the operating system was about. */
export function pathOf(error: unknown): string | undefined {
  return textIn(error, 'path');
}

/** By its members, not its class: an error of another realm (Jest has its own) is no `Error` here. */
function textIn(error: unknown, member: 'code' | 'path'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as { code?: unknown; path?: unknown })[member];
  return typeof value === 'string' ? value : undefined;
}
