import type { RedirectRules } from '../../lib/redirect-rules.ts';
import { findHttpUriFault, findUriTextFault } from './web-uri.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

// Each of them runs script, or shows what its author wrote, in the name of another page or of none.
const NEVER_ALLOWED: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'blob',
  'file',
  'about',
]);

// RFC 8252 section 7.1: a domain name of the app's maker in reverse order, such as com.example.app.
const REVERSE_DOMAIN = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;
const PRIVATE_USE_AUTHORITY = /^[A-Za-z0-9._~-]*$/;

/**
 * What is wrong with a redirect URI, or with a post-logout redirect URI, which obeys the same rules.
 * A redirect URI is compared byte by byte and later handed to a browser, so it is judged as the text
 * it is, never as what a parser would make of it.
 * @param holdsSecret whether the client authenticates with a secret: then it runs on a server, and
 *   no app on a device can answer for a scheme of its own
 * @param rules of the operator
 * @returns the reason in words that follow "it", or undefined
 */
export function findRedirectUriFault(
  text: string,
  holdsSecret: boolean,
  rules: RedirectRules,
): string | undefined {
  const textFault = findUriTextFault(text);
  if (textFault !== undefined) return textFault;
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'must be absolute: it has no scheme';
  if (NEVER_ALLOWED.has(scheme)) return `must not use the scheme ${scheme}`;
  // RFC 6749 section 3.1.2; an empty fragment would still swallow what is appended behind it.
  if (text.includes('#')) return 'must not have a fragment, not even an empty one';
  if (text.includes('*')) return 'must not contain a wildcard';
  return scheme === 'http' || scheme === 'https'
    ? findHttpUriFault(text, rules)
    : findPrivateUseFault(text, scheme, holdsSecret, rules);
}

function findPrivateUseFault(
  text: string,
  scheme: string,
  holdsSecret: boolean,
  { schemes }: RedirectRules,
): string | undefined {
  if (!REVERSE_DOMAIN.test(scheme) && !schemes.includes(scheme)) {
    return 'must use https, or a private-use scheme in reverse-domain form such as com.example.app (RFC 8252 section 7.1)';
  }
  if (holdsSecret) {
    return 'must use https: private-use schemes are for clients whose token_endpoint_auth_method is none';
  }
  const rest = text.slice(scheme.length + 1);
  // Without the slash "example.com:8080/callback" would pass as the scheme example.com.
  if (!rest.startsWith('/')) return `must have a "/" after "${scheme}:"`;
  if (rest.startsWith('//')) {
    const [authority = ''] = rest.slice(2).split(/[/?]/, 1);
    if (authority.includes('@')) return 'must not contain a user name or password';
    if (!PRIVATE_USE_AUTHORITY.test(authority)) return 'must have a valid host';
  }
  return URL.parse(text)?.protocol === `${scheme}:` ? undefined : 'must be a valid URI';
}
