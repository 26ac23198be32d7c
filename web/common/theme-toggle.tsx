import { useTheme } from './theme.js';

export function ThemeToggle() {
  const { theme, toggle } = useTheme();
  return (
    <button
      type="button"
      className="icon-button"
      onClick={toggle}
      aria-label="Dark theme"
      aria-pressed={theme === 'dark'}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden>
        {theme === 'dark' ? (
          <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z" strokeLinejoin="round" />
        ) : (
          <>
            <circle cx="12" cy="12" r="4.200" />
            <path
              d="M12 2.500v2.200M12 19.300v2.200M2.500 12h2.200M19.300 12h2.200M5.300 5.300l1.500 1.500M17.200 17.200l1.500 1.500M18.700 5.300l-1.500 1.500M6.800 17.200l-1.500 1.500"
              strokeLinecap="round"
            />
          </>
        )}
      </svg>
    </button>
  );
}
