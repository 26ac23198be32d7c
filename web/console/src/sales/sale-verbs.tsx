import { VerbDialog } from '../components/verb-dialog.js';
import type { Reading } from '../components/verb-request.js';
import { countOf, formatCount, formatDuration, formatRate } from '../data/format.js';
import { useClient } from '../session/session.js';
import type { Sale } from './sale-page.js';

/** The bounds of the service. */
const MIN_RATE = 0.01;
const MAX_RATE = 10_000;

export function SaleVerbs({ sale, reload }: { sale: Sale; reload: () => void }) {
  if (sale.state === 'ENDED') return null;
  return (
    <>
      {sale.state === 'PAUSED' ? <Resume sale={sale} reload={reload} /> : <Pause sale={sale} reload={reload} />}
      <ChangeRate sale={sale} reload={reload} />
      <End sale={sale} reload={reload} />
    </>
  );
}

interface Props {
  readonly sale: Sale;
  readonly reload: () => void;
}

function Pause({ sale: { id, tickets }, reload }: Props) {
  const client = useClient();
  return (
    <VerbDialog
      label="Pause"
      tone="primary"
      title="Pause the sale"
      subject={id}
      about={`Nobody is called any more. Who was called may still buy (${people(tickets.active)} now), and who waits keeps the place (${people(tickets.waiting)} now).`}
      confirm="Pause it"
      act={async ({ reason }) => {
        await client.pauseSale(id, { reason });
        return 'The sale is paused';
      }}
      onDone={reload}
    />
  );
}

function Resume({ sale: { id, admitPerSecond }, reload }: Props) {
  const client = useClient();
  return (
    <VerbDialog
      label="Resume"
      tone="primary"
      title="Go on with the sale"
      subject={id}
      about={`${formatRate(admitPerSecond)} a second are called again, from where it was paused. The pause is not made up for: nobody is called in a burst.`}
      confirm="Resume it"
      act={async ({ reason }) => {
        await client.resumeSale(id, { reason });
        return 'The sale goes on';
      }}
      onDone={reload}
    />
  );
}

function ChangeRate({ sale, reload }: Props) {
  const client = useClient();
  const { id, group, skus, startsAt, endsAt, maxActive, ticketTtlSeconds, admitPerSecond, tickets } = sale;
  return (
    <VerbDialog
      label="Change the rate"
      title="Change how many are called"
      subject={id}
      field={{
        label: 'Called a second',
        initial: String(admitPerSecond),
        read: (text) => readRate(text, admitPerSecond, tickets.waiting),
      }}
      confirm="Change it"
      act={async ({ reason, value }) => {
        const terms = { startsAt, endsAt, maxActive, ticketTtlSeconds, admitPerSecond: Number(value), reason };
        await client.putSale(id, group === undefined ? { ...terms, skus: [...(skus ?? [])] } : { ...terms, group });
        return `${formatRate(Number(value))} a second are called from now on`;
      }}
      onDone={reload}
    />
  );
}

function End({ sale: { id, tickets }, reload }: Props) {
  const client = useClient();
  return (
    <VerbDialog
      label="End"
      title="End the sale for good"
      subject={id}
      about={`Who waits is told that it is over (${people(tickets.waiting)} now). From then on nobody needs a ticket: what is left can be bought by anyone. This cannot be undone.`}
      confirm="End it"
      act={async ({ reason }) => {
        await client.endSale(id, { reason });
        return 'The sale has ended';
      }}
      onDone={reload}
    />
  );
}

function people(count: number): string {
  return count === 0 ? 'nobody' : countOf(count, 'person', 'people');
}

function readRate(text: string, current: number, waiting: number): Reading {
  const rate = Number(text);
  if (text.trim() === '' || !(rate >= MIN_RATE && rate <= MAX_RATE))
    return { text: `From ${MIN_RATE} to ${formatCount(MAX_RATE)}.`, isWrong: text.trim() !== '', canConfirm: false };
  const time = waiting === 0 ? '' : `: those who wait are called within ${formatDuration((waiting / rate) * 1_000)}`;
  return { text: `${formatRate(current)} become ${formatRate(rate)}${time}.`, canConfirm: rate !== current };
}
