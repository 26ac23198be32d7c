const ANY = '*';

/**
 * The origin as a browser sends it: no trailing slash, no default port, the host in lower case and ASCII. Undefined for
 * a text that no browser sends, such as an address with a path, which would look allowed and match nothing. Web views
 * use schemes of their own, for which the URL standard defines no origin.
 */
export function toOrigin(text: string): string | undefined {
  if (text === ANY) return ANY;
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username, password, origin } = new URL(text);
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '' && !/[?#]$/.test(text);
  if (!isBare || host === '' || host.includes('*') || username !== '' || password !== '') return undefined;
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
