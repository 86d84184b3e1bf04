// Room for a request of an OAuth client, within the limit on a block of headers.
const MAX_LENGTH = 8_192;

// Never asked: only for the parts of addresses.
const SOME_ORIGIN = 'http://latchkey.invalid';

/**
 * Where to go after the sign-in: a path of this server, or `/` for anything that a browser, or a proxy
 * that decodes too early, could take for another server.
 */
export function safeReturnTo(value: string | null): string {
  // Browsers drop tabs and line breaks, and read a backslash as a slash (URL standard, section 4.4).
  if (value === null || value.length > MAX_LENGTH || !/^\/(?!\/)[^\\\p{C}\s]*$/u.test(value)) {
    return '/';
  }
  const url = URL.parse(value, SOME_ORIGIN);
  if (url === null || url.origin !== SOME_ORIGIN) return '/';
  // Dots may have moved a double slash to the front, and so may decoding.
  if (/^\/(?:[/\\]|%2f|%5c|%0|%25)/i.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

/** A path of ours with the place to go afterwards, when that is not simply the start. */
export function withReturnTo(path: string, returnTo: string): string {
  if (returnTo === '/') return path;
  return `${path}${path.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(returnTo)}`;
}
