import { findWebUriFault } from './web-uri.ts';

/**
 * What is wrong with an origin that may call the token endpoint from a browser. It is compared with
 * the `Origin` header as text, so it must be written exactly as browsers write that header (RFC 6454
 * section 6.2): lower case, no default port, nothing behind the port. Hence also neither `*` nor
 * `null`, which sandboxed pages of anybody send.
 * @returns the reason in words that follow "it", or undefined
 */
export function findCorsOriginFault(text: string): string | undefined {
  if (text === '*' || text === 'null') {
    return `must be one origin such as https://app.example.com, not ${text}`;
  }
  const uriFault = findWebUriFault(text);
  if (uriFault !== undefined) return uriFault;
  const origin = URL.parse(text)?.origin;
  return origin === text ? undefined : `must be scheme, host and port alone: ${origin}`;
}
