/**
 * Only what the service itself serves is loaded and called. No inline script or style, no frame around it, and nothing
 * that takes text for HTML: Trusted Types refuse it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
