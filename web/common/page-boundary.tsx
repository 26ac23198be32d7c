import { Component, type ReactNode } from 'react';

/** Shows a way out where a page would otherwise be blank. */
export class PageBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (!('error' in this.state)) return this.props.children;
    return (
      <main className="broken" role="alert">
        <h1>This page has broken</h1>
        <p className="quiet">Nothing that you did is lost. Reload it to go on.</p>
        <p>
          <button type="button" className="button primary" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </main>
    );
  }
}
