import { Link } from 'wouter';
import type { Show } from '../content/shows.js';

export function ShowTabs({ shows, current }: { shows: readonly Show[]; current: string }) {
  return (
    <nav className="show-tabs" aria-label="Shows">
      {shows.map(({ group, title, when }) => (
        <Link
          key={group}
          href={`/shows/${encodeURIComponent(group)}`}
          aria-current={group === current ? 'page' : undefined}
        >
          <strong>{title}</strong> <span className="quiet">{when}</span>
        </Link>
      ))}
    </nav>
  );
}
