import { Fragment, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { formatCount } from '../data/format.js';
import { useLive } from '../session/live.js';
import { type Place, PLACES } from './places.js';

/** The views, with what waits in them. */
export function Navigation() {
  const { attention, overview } = useLive();
  const counts: Readonly<Record<string, number>> = {
    '/': attention.value?.count ?? 0,
    '/bulk': overview.value?.bulkRuns ?? 0,
  };
  // Until it is known the place is kept: nothing below it jumps.
  const isShown = ({ href }: Place) => href !== '/sandbox' || overview.value?.isSandbox !== false;
  return (
    <nav className="navigation" aria-label="Console">
      {PLACES.map((group, index) => (
        <Fragment key={index}>
          {index > 0 && <hr />}
          {group.filter(isShown).map((place) => (
            <NavLink key={place.href} place={place} count={counts[place.href] ?? 0} />
          ))}
        </Fragment>
      ))}
    </nav>
  );
}

function NavLink({ place: { href, icon, text }, count }: { place: Place; count: number }) {
  const [location] = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  const isHere = href === '/' ? location === '/' : location.startsWith(href);
  // On a phone the row is wider than the screen. Not `scrollIntoView`: the Tab key would go on from there.
  useEffect(() => {
    const row = link.current?.parentElement;
    if (isHere && row) row.scrollLeft = (link.current?.offsetLeft ?? 0) - row.clientWidth / 3;
  }, [isHere]);
  return (
    <Link ref={link} href={href} aria-current={isHere ? 'page' : undefined}>
      {icon}
      <span>{text}</span>
      {count > 0 && <span className={`count ${href === '/' ? 'urgent' : ''}`}>{formatCount(count)}</span>}
    </Link>
  );
}
