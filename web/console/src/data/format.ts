const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** `3.2 s`, `14 min`, `2 d 4 h`: as exact as it is short. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const index = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, name] = UNITS[index] ?? UNITS[3];
  const whole = Math.floor(ms / unit);
  const next = UNITS[index + 1];
  const rest = next && whole < 10 ? Math.floor((ms - whole * unit) / next[0]) : 0;
  return next && rest > 0 ? `${whole} ${name} ${rest} ${next[1]}` : `${whole} ${name}`;
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export function formatTime(iso: string): string {
  return TIME.format(new Date(iso));
}

/** With milliseconds, for what happens within a second. */
export function formatClock(iso: string): string {
  const date = new Date(iso);
  return `${CLOCK.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1.4`, `230`: two figures are enough to compare. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0';
  return perSecond < 10 ? perSecond.toFixed(perSecond < 1 ? 2 : 1) : Math.round(perSecond).toLocaleString('en');
}

export function shortId(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** `process-payment` in a sentence. */
export function words(name: string): string {
  return name.replaceAll(/[-_.:]/g, ' ');
}

/** `1 order`, `3 orders`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Begins with a capital, as a sentence does; a name such as `order.confirmed` stays as it is. */
export function sentence(text: string): string {
  return /^[a-z]+[ ,:]|^[a-z]+$/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
