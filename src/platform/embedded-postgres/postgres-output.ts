const MAX_LENGTH = 400;

/** Why PostgreSQL ended, in one line: its errors and hints without time stamps, or else its last line. */
export function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[\d+\] /, '').trim())
    .filter((line) => line !== '');
  const errors = lines.filter((line) => /^(FATAL|PANIC|ERROR|DETAIL|HINT):|\berror:|\bcould not\b/.test(line));
  const words = errors.length > 0 ? errors.join(' ') : (lines.at(-1) ?? 'it ended without a word');
  return words.slice(0, MAX_LENGTH);
}
