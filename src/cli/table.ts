/** Columns as wide as their content, except the last. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ');
  return [line(head), line(head.map((_, column) => '-'.repeat(widths[column] ?? 0))), ...rows.map(line)];
}
