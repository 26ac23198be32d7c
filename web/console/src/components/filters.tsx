import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';

export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** A choice of these, or text. */
  readonly options?: readonly string[];
  readonly type?: 'text' | 'email' | 'datetime-local';
}

/** Where a form would push the list off the screen. */
const NARROW = matchMedia('(width < 52rem)');

/** Filters that live in the address, so that a list can be shared. */
export function Filters({ fields, children }: { fields: readonly FilterField[]; children?: ReactNode }) {
  const [params, setParams] = useSearchParams();
  const given = Object.fromEntries(fields.map(({ name }) => [name, params.get(name) ?? '']));
  const count = Object.values(given).filter((value) => value !== '').length;
  const form = (
    <FilterForm
      key={JSON.stringify(given)}
      fields={fields}
      given={given}
      apply={(values) => setParams(Object.entries(values).filter(([, value]) => value !== ''))}
    >
      {children}
    </FilterForm>
  );
  if (!NARROW.matches || fields.length === 1) return <div className="card filter-card">{form}</div>;
  return (
    <details className="card filter-card filter-fold">
      <summary>{count === 0 ? 'Filters' : `Filters (${count})`}</summary>
      {form}
    </details>
  );
}

interface FormProps {
  readonly fields: readonly FilterField[];
  readonly given: Readonly<Record<string, string>>;
  readonly apply: (values: Readonly<Record<string, string>>) => void;
  readonly children?: ReactNode;
}

function FilterForm({ fields, given, apply, children }: FormProps) {
  const [values, setValues] = useState(given);
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply(values);
      }}
    >
      {fields.map(({ name, label, options, type = 'text' }) => (
        <label key={name} className="field">
          <span>{label}</span>
          {options ? (
            <select value={values[name]} onChange={({ target }) => apply({ ...values, [name]: target.value })}>
              <option value="">any</option>
              {options.map((option) => (
                <option key={option} value={option}>
                  {option.replaceAll('_', ' ').toLowerCase()}
                </option>
              ))}
            </select>
          ) : (
            <input
              type={type}
              value={values[name]}
              onChange={({ target }) => set(name, target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </label>
      ))}
      <div className="filter-buttons">
        <button type="submit" className="button small primary">
          Filter
        </button>
        {Object.values(given).some((value) => value !== '') && (
          <button type="button" className="button small" onClick={() => apply({})}>
            Clear
          </button>
        )}
        {children}
      </div>
    </form>
  );
}

/** What is given of the address, for a query. */
export function useFilters<N extends string>(...names: readonly N[]): Partial<Record<N | 'cursor', string>> {
  const [params] = useSearchParams();
  const all = [...names, 'cursor'] as const;
  const given = all.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given) as Partial<Record<N | 'cursor', string>>;
}
