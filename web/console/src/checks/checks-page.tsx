import { useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { PageHead } from '../components/page-head.js';
import { explain } from '../data/explain.js';
import { useClient } from '../session/session.js';
import { DifferenceList } from './difference-list.js';
import { InvariantTable } from './invariant-table.js';
import './checks.css';

/** Who checks the others: invariants with their history, and the provider's books beside ours. */
export function ChecksPage() {
  const client = useClient();
  const [round, setRound] = useState(0);
  const [isChecking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    try {
      const { ok } = await client.checkInvariants();
      announce(ok ? 'Every invariant holds' : 'An invariant is broken');
      setRound((before) => before + 1);
    } catch (error) {
      announce(explain(error));
    }
    setChecking(false);
  };
  return (
    <>
      <PageHead
        title="Checks"
        about="Every instance checks every minute. A row begins where a result changed; what was wrong stays readable for 90 days."
      >
        <button type="button" className="button small primary" onClick={() => void check()} disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Check everything now'}
        </button>
      </PageHead>
      <div className="stack">
        <DifferenceList key={`d${round}`} />
        <InvariantTable key={`i${round}`} />
      </div>
    </>
  );
}
