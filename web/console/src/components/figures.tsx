import { formatCount } from '../data/format.js';

/** A few large numbers side by side. */
export function Figures({ of: figures }: { of: readonly (readonly [name: string, value: number])[] }) {
  return (
    <dl className="figures number">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="quiet">{name}</dt>
          <dd>{formatCount(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
