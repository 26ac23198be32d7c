import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** A view that has nothing to show, and says what to do about it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ text }: { text: string }) {
  return (
    <p className="loading" role="status">
      <span className="spinner" /> {text}
    </p>
  );
}
