import { type UriFault, faultOf, findWebUriFault, settled } from './web-uri.ts';

/**
 * What is wrong with an origin whose pages shall read the answers of the token endpoint. It is compared with
 * what browsers send, so it is written as they do: no path, no default port, lower case.
 */
export function findCorsOriginFault(text: string): UriFault | undefined {
  return settled(findFault(text), findFault);
}

function findFault(text: string): UriFault | undefined {
  if (text === '*') return faultOf('List each origin in full. “*” would allow every website.');
  if (text === 'null') return faultOf('“null” is the origin of sandboxed pages on any website.');
  const fault = findWebUriFault(text);
  if (fault !== undefined) return fault;
  const origin = URL.parse(text)?.origin;
  if (origin === text) return undefined;
  return faultOf('An origin consists of scheme, host and port, without a path.', origin);
}
