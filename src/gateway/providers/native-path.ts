/**
 * The model in a path, decoded.
 * @param pattern runs in linear time; its first group is the encoded model
 * @returns undefined for a path without one, and for a malformed one
 */
export function modelBehind(pattern: RegExp, pathAndQuery: string): string | undefined {
  const found = pattern.exec(plainPath(pathAndQuery))?.[1];
  return found === undefined ? undefined : decoded(found);
}

/**
 * A path as providers understand it: without its query, and without what makes no difference to them, such
 * as a doubled slash, one at the end, and letters that are percent-encoded. An encoded slash stays encoded.
 */
export function plainPath(pathAndQuery: string): string {
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

/** A path with dot segments, plain or encoded, could leave the provider's base path. */
export function leavesProvider(pathAndQuery: string): boolean {
  const [path = ''] = pathAndQuery.split('?', 1);
  return path
    .replaceAll(/%2f|%5c|\\/gi, '/')
    .split('/')
    .some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
