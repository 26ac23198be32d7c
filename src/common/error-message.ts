export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The operating system's code (`EACCES`), where the error has one. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
