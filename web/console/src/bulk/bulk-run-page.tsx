import type { Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { EffectList } from '../components/effect-list.js';
import { Fact } from '../components/fact.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { StateChip } from '../components/state-chip.js';
import { VerbDialog } from '../components/verb-dialog.js';
import { formatCount, formatDuration, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import { BulkItems } from './bulk-items.js';
import './bulk.css';

type BulkRun = Schemas['BulkRun'];

const EVERY_MS = 1_000;

export function BulkRunPage({ id }: { id: string }) {
  const client = useClient();
  const run = useLoaded(id, (signal) => client.getBulkRun(id, { signal }), EVERY_MS);
  return <Loading of={run}>{(value) => <BulkRunView run={value} reload={run.reload} />}</Loading>;
}

function BulkRunView({ run, reload }: { run: BulkRun; reload: () => void }) {
  const { id, action, state, perSecond, actor, reason, total, isTruncated, owner, stopReason, createdAt } = run;
  const filter = Object.entries(run.filter).map(([name, value]) => `${words(name)} ${value}`);
  return (
    <>
      <PageHead
        title={words(action)}
        about={
          <span className="head-facts">
            <StateChip state={state} />
            <span>{filter.length === 0 ? 'all of them' : filter.join(', ')}</span>
            <span className="quiet">“{reason}”</span>
          </span>
        }
      >
        <Verbs run={run} reload={reload} />
      </PageHead>
      <div className="stack">
        {stopReason !== null && (
          <p className="notice warn">
            <strong>It stopped by itself</strong>
            <span>{stopReason}</span>
          </p>
        )}
        {isTruncated && <p className="notice warn">There are more: this run touches the first {formatCount(total)}.</p>}
        <section className="card panel stack" aria-label="How far it is">
          <Progress run={run} />
          <dl className="facts">
            <Fact name="Rate">{perSecond} a second</Fact>
            <Fact name="Planned">
              <Ago at={createdAt} /> by {actor}
            </Fact>
            <Fact name="Driven by">
              <code>{owner ?? 'nobody'}</code>
            </Fact>
            <Fact name="Audit">
              <Link href={`/trail?runId=${id}`}>its actions</Link>
            </Fact>
          </dl>
        </section>
        <section className="card panel foretold-panel" aria-label="What it will do">
          <h2 className="panel-title">{state === 'PLANNED' ? 'What it would do' : 'What was planned'}</h2>
          {total === 0 ? (
            <p className="quiet">The filter finds nothing.</p>
          ) : (
            <EffectList effects={run.preview.effects} />
          )}
        </section>
        {total > 0 && <BulkItems id={id} version={`${state} ${run.done + run.refused + run.failed}`} />}
      </div>
    </>
  );
}

function Verbs({ run, reload }: { run: BulkRun; reload: () => void }) {
  const client = useClient();
  const { id, state, total, action } = run;
  const canStart = (state === 'PLANNED' || state === 'STOPPED') && total > 0;
  return (
    <>
      {canStart && (
        <VerbDialog
          label={state === 'PLANNED' ? 'Start' : 'Go on'}
          tone="primary"
          title={`${words(action)}: ${formatCount(total)}`}
          about="It goes on when you close this page, and on another instance if this one is lost. You can stop it at any time."
          effects={run.preview.effects}
          confirm={state === 'PLANNED' ? 'Start it' : 'Go on'}
          act={async ({ reason }) => {
            await client.startBulkRun(id, { reason });
            return 'The run is under way';
          }}
          onDone={reload}
        />
      )}
      {state === 'RUNNING' && (
        <VerbDialog
          label="Stop"
          tone="primary"
          title="Stop the run"
          about="The item under way is finished, and no other is begun. What was done stays done; you can go on later."
          confirm="Stop it"
          act={async ({ reason }) => {
            await client.stopBulkRun(id, { reason });
            return 'The run is stopped';
          }}
          onDone={reload}
        />
      )}
      {state === 'PLANNED' && (
        <VerbDialog
          label="Discard"
          title="Discard the plan"
          confirm="Discard it"
          act={async ({ reason }) => {
            await client.stopBulkRun(id, { reason });
            return 'The plan is discarded';
          }}
          onDone={reload}
        />
      )}
    </>
  );
}

function Progress({ run: { total, done, refused, failed, perSecond, state } }: { run: BulkRun }) {
  const ended = done + refused + failed;
  const leftMs = ((total - ended) / perSecond) * 1_000;
  const parts = [
    `${formatCount(done)} done`,
    ...(refused > 0 ? [`${formatCount(refused)} refused`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ];
  return (
    <div className="run-progress">
      <p>
        <strong className="number">
          {formatCount(ended)} of {formatCount(total)}
        </strong>{' '}
        <span className="quiet">
          {parts.join(', ')}
          {state === 'RUNNING' ? `; about ${formatDuration(leftMs)} left` : ''}
        </span>
      </p>
      <div
        className="progress"
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={ended}
      >
        <div style={{ width: `${total === 0 ? 0 : (ended / total) * 100}%` }} />
      </div>
    </div>
  );
}
