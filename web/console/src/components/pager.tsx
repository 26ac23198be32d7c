import { useSearchParams } from 'wouter';

interface Props {
  readonly shown: number;
  readonly nextCursor: string | null;
  readonly what: string;
}

/** Pages by cursor, in the address: a link to a page is a link to what it shows. */
export function Pager({ shown, nextCursor, what }: Props) {
  const [params, setParams] = useSearchParams();
  const go = (cursor: string | null) => {
    setParams((before) => {
      if (cursor === null) before.delete('cursor');
      else before.set('cursor', cursor);
      return before;
    });
    scrollTo(0, 0);
  };
  const isFirst = !params.has('cursor');
  if (isFirst && nextCursor === null) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <span>{shown === 0 && nextCursor !== null ? `None of the newest ${what}: there may be older ones.` : ''}</span>
      <span className="page-tools">
        {!isFirst && (
          <button type="button" className="button small" onClick={() => go(null)}>
            Newest
          </button>
        )}
        {nextCursor !== null && (
          <button type="button" className="button small" onClick={() => go(nextCursor)}>
            {shown === 0 ? 'Look further back' : 'Older'}
          </button>
        )}
      </span>
    </nav>
  );
}
