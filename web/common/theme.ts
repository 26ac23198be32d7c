import { useObservable } from './observable.js';
import { createStored } from './stored.js';

export type Theme = 'light' | 'dark';

/** What the visitor chose; null follows the system. */
const chosen = createStored<Theme | null>('theme', null);
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/** Call it before the first render, so that the page does not change colours in front of its visitor. */
export function applyTheme(): void {
  const apply = () => {
    const theme = chosen.get();
    if (theme) document.documentElement.dataset['theme'] = theme;
    else delete document.documentElement.dataset['theme'];
  };
  apply();
  chosen.subscribe(apply);
}

export function useTheme(): { theme: Theme; toggle: () => void } {
  const theme = useObservable(chosen) ?? (prefersDark.matches ? 'dark' : 'light');
  return { theme, toggle: () => chosen.set(theme === 'dark' ? 'light' : 'dark') };
}
