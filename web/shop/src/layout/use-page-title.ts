import { useEffect } from 'react';

/** What the tab is called, and with it what a screen reader says first. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Lantern`;
  }, [title]);
}
