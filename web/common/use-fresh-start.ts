import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** A new view begins at its top, and is where a keyboard and a screen reader go on, as after loading a page. */
export function useFreshStart(): void {
  const [location] = useLocation();
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [location]);
}
