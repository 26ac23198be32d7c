import type { Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { Fact } from '../components/fact.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { StateChip } from '../components/state-chip.js';
import { formatClock, formatDuration, shortId, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

type Saga = Schemas['Saga'];

const EVERY_MS = 3_000;

/** A saga's own log. What it did to its order, beside everything else, is on the order's page. */
export function SagaPage({ id }: { id: string }) {
  const client = useClient();
  const saga = useLoaded(id, (signal) => client.getSaga(id, { signal }), EVERY_MS);
  return <Loading of={saga}>{(value) => <SagaView saga={value} />}</Loading>;
}

function SagaView({ saga }: { saga: Saga }) {
  const { id, name, version, state, subject, epoch, owner, failure, audit, createdAt, updatedAt, dueAt } = saga;
  return (
    <>
      <PageHead title={`${words(name)} ${shortId(id)}`} about={<code>{id}</code>}>
        <Link className="button small primary" href={`/orders/${subject}`}>
          Its order, and what can be done
        </Link>
      </PageHead>
      <div className="stack">
        <section className="card panel" aria-label="Where it stands">
          <dl className="facts">
            <Fact name="State">
              <StateChip state={state} />
            </Fact>
            <Fact name="Version">{version}</Fact>
            <Fact name="Owners so far">{epoch}</Fact>
            <Fact name="Driven by">
              <code>{owner ?? 'nobody'}</code>
            </Fact>
            <Fact name="Began">
              <Ago at={createdAt} />
            </Fact>
            <Fact name="Changed">
              <Ago at={updatedAt} />
            </Fact>
            <Fact name="Due">{formatClock(dueAt)}</Fact>
            {failure && <Fact name={failure.code}>{failure.detail}</Fact>}
          </dl>
        </section>
        <SagaLog log={saga.log} />
        {audit.length > 0 && (
          <section className="card table-card" aria-label="Operators">
            <table className="table">
              <thead>
                <tr>
                  <th>Verb</th>
                  <th>By</th>
                  <th>Reason</th>
                  <th>From</th>
                  <th>To</th>
                  <th>When</th>
                </tr>
              </thead>
              <tbody>
                {audit.map(({ verb, actor, reason, fromState, toState, at }) => (
                  <tr key={at}>
                    <td className="wide">{verb}</td>
                    <td data-label="By">{actor}</td>
                    <td data-label="Reason">{reason}</td>
                    <td data-label="From">
                      <StateChip state={fromState} />
                    </td>
                    <td data-label="To">
                      <StateChip state={toState} />
                    </td>
                    <td data-label="When">
                      <Ago at={at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
    </>
  );
}

function SagaLog({ log }: { log: Saga['log'] }) {
  return (
    <section className="card table-card" aria-label="Log">
      <table className="table">
        <thead>
          <tr>
            <th>Step</th>
            <th>Phase</th>
            <th>Result</th>
            <th className="right">Took</th>
            <th className="right">Lock wait</th>
            <th className="right">Call</th>
            <th>Instance</th>
            <th>At</th>
          </tr>
        </thead>
        <tbody>
          {log.map(({ step, phase, result, ms, lockWaitMs, callMs, error, by, at }, index) => (
            <tr key={index}>
              <td className="wide">
                {words(step)}
                {error !== undefined && <div className="field-problem small">{error}</div>}
              </td>
              <td data-label="Phase">{words(phase)}</td>
              <td data-label="Result">{words(result)}</td>
              <td data-label="Took" className="right number">
                {ms === undefined ? '' : formatDuration(ms)}
              </td>
              <td data-label="Lock wait" className="right number">
                {lockWaitMs === undefined ? '' : formatDuration(lockWaitMs)}
              </td>
              <td data-label="Call" className="right number">
                {callMs === undefined ? '' : formatDuration(callMs)}
              </td>
              <td data-label="Instance">
                <code>{by ?? ''}</code>
              </td>
              <td data-label="At" className="number nowrap">
                {formatClock(at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
