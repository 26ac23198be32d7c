import { ConnectionError } from '@checkout-saga/client';
import type { ReactNode } from 'react';
import { explain } from '../data/explain.js';
import type { Loaded } from '../data/use-loaded.js';

interface Props<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}

/**
 * Shows what was loaded; until then that it is on its way, and where it fails why, with a way to try again. That the service
 * does not answer is said once for the whole page.
 */
export function Loading<T>({ of: { value, error, reload }, children }: Props<T>) {
  return (
    <>
      {error !== undefined && !(value !== undefined && error instanceof ConnectionError) && (
        <div className="notice bad" role="alert">
          <strong>{value === undefined ? 'This could not be read' : 'This is not up to date'}</strong>
          <span>
            {explain(error)}{' '}
            <button type="button" className="link-button" onClick={reload}>
              Try again
            </button>
          </span>
        </div>
      )}
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && <Reading />}
    </>
  );
}

/** Shown only if it takes a while: what comes at once should not flicker. */
export function Reading() {
  return (
    <p className="loading quiet" role="status">
      <span className="spinner" aria-hidden /> Reading …
    </p>
  );
}
