import { type ReactNode, useEffect } from 'react';

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** The heading of a view, which is also the title of the tab, and what can be done in it. */
export function PageHead({ title, about, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p className="quiet">{about}</p>}
      </div>
      {children !== undefined && <div className="page-tools">{children}</div>}
    </header>
  );
}
