import { decodings } from '../../lib/percent-encoding.ts';

/**
 * Returns the model in a path, decoded.
 * @param pattern runs in linear time; its first group is the encoded model
 * @returns undefined if the path contains none, or is malformed
 */
export function matchModel(pattern: RegExp, pathAndQuery: string): string | undefined {
  const found = pattern.exec(plainPath(pathAndQuery))?.[1];
  return found === undefined ? undefined : decoded(found);
}

/** A path that {@link plainPath} does not change: decoding its segments would take half a microsecond per request. */
const PLAIN_PATH = /^[\w.~-]*(?:\/[\w.~-]+)*$/;

/**
 * Normalizes a path as providers do: without its query, empty segments and percent-encoded letters. An encoded slash
 * stays encoded.
 */
export function plainPath(pathAndQuery: string): string {
  if (PLAIN_PATH.test(pathAndQuery)) return pathAndQuery;
  const [path = ''] = pathAndQuery.split('?', 1);
  const segments = path
    .split('/')
    .map((segment) => encodeURIComponent(decoded(segment) ?? segment));
  const [first = '', ...rest] = segments;
  return [first, ...rest.filter((segment) => segment !== '')].join('/');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// Some servers remove the parameters of a segment (RFC 3986 section 3.3) or a fragment before they resolve dot segments.
const DOT_SEGMENT = /^\.{1,2}(?:[;#?].*)?$/s;

/**
 * Decides if a path contains a dot segment (RFC 3986 section 5.2.4), plain or percent-encoded, and could leave the base
 * path of the provider.
 */
export function leavesProvider(pathAndQuery: string): boolean {
  const [path = ''] = pathAndQuery.split('?', 1);
  return decodings(path).some((decodedPath) =>
    decodedPath.split(/[/\\]/).some((segment) => DOT_SEGMENT.test(segment)),
  );
}
