import type { ReactNode } from 'react';

interface TileProps {
  readonly name: string;
  readonly value: string;
  /** What needs somebody, in words: colour alone says it to nobody who does not see it. */
  readonly warning?: string | undefined;
  readonly children: ReactNode;
}

/** One number of a row of them, in a `ul.tiles`. */
export function Tile({ name, value, warning, children }: TileProps) {
  return (
    <li className={`card tile ${warning === undefined ? '' : 'bad'}`}>
      <span className="tile-name">{name}</span>
      <strong className="number">{value}</strong>
      {warning !== undefined && <span className="tile-warning small">{warning}</span>}
      <span className="quiet small">{children}</span>
    </li>
  );
}
