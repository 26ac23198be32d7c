import type { Body } from '@checkout-saga/client';
import { useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { explain } from '../data/explain.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import { FaultSwitches } from './fault-switches.js';
import { TryOrders } from './try-orders.js';
import './sandbox.css';

export type Faults = Body<'putSandboxFaults'>;

/** Only with the sandbox: make the provider misbehave, and watch what the sagas do about it. */
export function SandboxPage() {
  const client = useClient();
  const faults = useLoaded('faults', (signal) => client.getSandboxFaults({ signal }), 5_000);
  const [isSaving, setSaving] = useState(false);
  const change = async (wanted: Faults) => {
    setSaving(true);
    try {
      await client.putSandboxFaults(wanted);
      faults.reload();
    } catch (error) {
      announce(explain(error));
    }
    setSaving(false);
  };
  return (
    <>
      <PageHead
        title="Sandbox"
        about="No money moves here. Switch a fault on, make an order below or in the shop, and watch it on its page."
      >
        <button type="button" className="button small" onClick={() => void change({})} disabled={isSaving}>
          Switch everything off
        </button>
      </PageHead>
      <div className="stack">
        <Loading of={faults}>
          {(value) => <FaultSwitches faults={value} change={(wanted) => void change(wanted)} isSaving={isSaving} />}
        </Loading>
        <TryOrders />
      </div>
    </>
  );
}
