import { useState } from 'react';
import { Chart, type Series } from '../overview/chart.js';
import '../overview/overview.css';
import { formatCount } from '../data/format.js';
import type { Sale } from './sale-page.js';

interface Point {
  readonly at: number;
  readonly tickets: Sale['tickets'];
}

/** Ten minutes, at the pace at which the page reads. */
const KEPT = 400;

/** How the queue has moved since this page was opened. */
export function SaleChart({ sale: { tickets }, readAt }: { sale: Sale; readAt: number }) {
  const [points, setPoints] = useState<readonly Point[]>([]);
  const at = readAt / 1_000;
  if (points.at(-1)?.at !== at) setPoints([...points.slice(1 - KEPT), { at, tickets }]);
  const lineOf = (label: string, colour: string, member: keyof Sale['tickets']): Series => ({
    label,
    colour,
    values: points.map((point) => point.tickets[member]),
  });
  if (points.length < 2) return null;
  return (
    <Chart
      title="The queue, since you opened this page"
      times={points.map((point) => point.at)}
      series={[
        lineOf('waiting', '--warn', 'waiting'),
        lineOf('may buy', '--accent', 'active'),
        lineOf('bought', '--good', 'bought'),
      ]}
      format={formatCount}
    />
  );
}
