import { Switch } from '@base-ui/react/switch';
import { useId } from 'react';
import type { Faults } from './sandbox-page.js';

interface FaultSwitch {
  readonly title: string;
  readonly about: string;
  readonly faults: Faults;
}

/** Each is a set of the sandbox's faults under one name; the API has more of them. */
const SWITCHES: readonly FaultSwitch[] = [
  {
    title: 'Charges fail',
    about: 'Every charge answers with an error and has no effect: the order is given up, the stock released.',
    faults: { chargeErrorRate: 1 },
  },
  {
    title: 'Refunds fail',
    about: 'Nothing is paid back: a cancellation retries, and is then stuck until it is switched off and retried.',
    faults: { refundErrorRate: 1 },
  },
  {
    title: 'Charges are slow',
    about: 'Every charge takes two seconds.',
    faults: { chargeLatencyMs: 2_000 },
  },
  {
    title: 'Half of the charges fail',
    about:
      'Half of them before, half of them after they took effect: the outcome is looked up, and nothing is charged twice.',
    faults: { chargeErrorRate: 0.5 },
  },
  {
    title: 'Callbacks for everything',
    about: 'The provider announces every outcome, three times each.',
    faults: { everyCallback: true, duplicateCallbacks: 2 },
  },
  {
    title: 'Callbacks come early',
    about: 'A callback arrives before its charge is answered.',
    faults: { earlyCallbacks: true },
  },
];

interface Props {
  readonly faults: Faults;
  readonly change: (faults: Faults) => void;
  readonly isSaving: boolean;
}

export function FaultSwitches({ faults, change, isSaving }: Props) {
  return (
    <section className="card panel" aria-label="Faults">
      <h2 className="panel-title">Faults</h2>
      <ul className="faults">
        {SWITCHES.map((fault) => (
          <FaultRow
            key={fault.title}
            fault={fault}
            isOn={isOn(faults, fault.faults)}
            isSaving={isSaving}
            toggle={(wanted) => change(wanted ? { ...faults, ...fault.faults } : without(faults, fault.faults))}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly fault: FaultSwitch;
  readonly isOn: boolean;
  readonly isSaving: boolean;
  readonly toggle: (isOn: boolean) => void;
}

function FaultRow({ fault: { title, about }, isOn: isChecked, isSaving, toggle }: RowProps) {
  const id = useId();
  return (
    <li>
      <Switch.Root
        className="switch"
        checked={isChecked}
        onCheckedChange={toggle}
        disabled={isSaving}
        aria-labelledby={id}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
      <span>
        <strong id={id}>{title}</strong>
        <span className="quiet small">{about}</span>
      </span>
    </li>
  );
}

function isOn(faults: Faults, wanted: Faults): boolean {
  return Object.entries(wanted).every(([name, value]) => faults[name as keyof Faults] === value);
}

/** What is not named is off. */
function without(faults: Faults, unwanted: Faults): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in unwanted)));
}
