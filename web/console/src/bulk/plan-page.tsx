import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { PageHead } from '../components/page-head.js';
import { explain } from '../data/explain.js';
import { useClient } from '../session/session.js';
import { CHOICES, isTime } from './actions.js';
import './bulk.css';

const DEFAULT_RATE = '5';

/** The form of a dry run. Its answer is a run that does nothing yet. */
export function PlanPage() {
  const [params] = useSearchParams();
  const given = Object.fromEntries(params);
  return <PlanForm key={JSON.stringify(given)} given={given} />;
}

function PlanForm({ given }: { given: Readonly<Record<string, string>> }) {
  const client = useClient();
  const [, navigate] = useLocation();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({ action: 'retry-sagas', ...given });
  const [problem, setProblem] = useState('');
  const [isPlanning, setPlanning] = useState(false);
  const choice = CHOICES.find(({ action }) => action === values['action']) ?? CHOICES[0];
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  if (!choice) return null;

  const submit = async () => {
    setPlanning(true);
    setProblem('');
    try {
      const filter = Object.fromEntries(choice.fields.flatMap(([name]) => filterOf(name, values[name])));
      const perSecond = Number(values['perSecond'] ?? DEFAULT_RATE);
      const reason = values['reason'] ?? '';
      const run = await client.planBulkRun({ action: choice.action, filter, reason, perSecond });
      navigate(`/bulk/${run.id}`);
    } catch (error) {
      setProblem(explain(error));
      setPlanning(false);
    }
  };

  return (
    <>
      <PageHead
        title="Plan a bulk run"
        about="First a dry run: it fixes the list and says what would happen to money and stock. Nothing is done until you start it."
      />
      <form
        className="card panel plan"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label className="field">
          <span>What to do</span>
          <select value={choice.action} onChange={({ target }) => set('action', target.value)}>
            {CHOICES.map(({ action, text }) => (
              <option key={action} value={action}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="plan-filter">
          <legend>Which ones</legend>
          {choice.fields.map(([name, label, options]) => (
            <label key={name} className="field">
              <span>{label}</span>
              {options ? (
                <select value={values[name] ?? ''} onChange={({ target }) => set(name, target.value)}>
                  <option value="">any</option>
                  {options.map((option) => (
                    <option key={option} value={option}>
                      {option.toLowerCase()}
                    </option>
                  ))}
                </select>
              ) : (
                <input
                  type={isTime(name) ? 'datetime-local' : 'text'}
                  value={values[name] ?? ''}
                  onChange={({ target }) => set(name, target.value)}
                  placeholder="any"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </label>
          ))}
        </fieldset>
        <label className="field">
          <span>Rate, items a second</span>
          <input
            type="number"
            min="0.2"
            max="50"
            step="0.1"
            value={values['perSecond'] ?? DEFAULT_RATE}
            onChange={({ target }) => set('perSecond', target.value)}
            required
          />
        </label>
        <label className="field">
          <span>Reason, for the audit trail</span>
          <input
            value={values['reason'] ?? ''}
            onChange={({ target }) => set('reason', target.value)}
            maxLength={500}
            required
            autoComplete="off"
          />
        </label>
        {problem !== '' && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        <div>
          <button type="submit" className="button primary" disabled={isPlanning}>
            {isPlanning ? 'Looking …' : 'Dry run'}
          </button>
        </div>
      </form>
    </>
  );
}

function filterOf(name: string, value = ''): [string, string][] {
  if (value === '') return [];
  return [[name, isTime(name) ? new Date(value).toISOString() : value]];
}
