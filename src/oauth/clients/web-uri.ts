import { NO_REDIRECT_RULES, type RedirectRules, isHttpHost } from '../../lib/redirect-rules.ts';

/** Longest URI that is stored. Browsers and proxies start to cut addresses not far above. */
export const MAX_URI_LENGTH = 2_048;

const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

// RFC 3986 section 2: every character that a URI may have. It is written in ASCII; what lies
// outside is where parsers differ: they strip tabs and line ends, take a backslash for a slash and
// map full-width letters and dots to plain ones.
const URI_TEXT = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const ESCAPED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/;

// The authority is everything between "//" and the next "/", "?" or "#" (RFC 3986 section 3.2).
const HTTP_URI = /^(https?):\/\/([^/?#]+)/i;
// A host name with the underscore that some internal names have, or an IPv6 address in brackets.
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?)(?::[1-9][0-9]{0,4})?$/i;

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * What is wrong with a text as a URI of whatever scheme, seen as mere characters.
 * @returns the reason in words that follow "it", or undefined
 */
export function findUriTextFault(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (text.length > MAX_URI_LENGTH) return `must have at most ${MAX_URI_LENGTH} characters`;
  if (BLANK_OR_CONTROL.test(text)) return 'must not contain spaces or control characters';
  if (text.includes('\\')) return 'must not contain backslashes';
  if (!URI_TEXT.test(text)) {
    return 'must be written in the characters of RFC 3986: percent-encode the others, and write the host in punycode';
  }
  if (BROKEN_ESCAPE.test(text)) return 'must not contain "%" without two hex digits after it';
  if (ESCAPED_CONTROL.test(text)) return 'must not contain percent-encoded control characters';
  return undefined;
}

/**
 * What is wrong with an http or https URI that passed {@link findUriTextFault}. The text itself is
 * checked, and then that a browser reads the same scheme and host out of it: browsers repair
 * "https:host" and "https:/host", and read 0x7f.1 or a percent-encoded name as another host.
 * @param rules hosts besides the loopback hosts that may use http
 */
export function findHttpUriFault(
  text: string,
  rules: RedirectRules = NO_REDIRECT_RULES,
): string | undefined {
  const [, scheme, authority] = HTTP_URI.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) {
    return 'must be absolute: https://, a host and a path';
  }
  if (authority.includes('@')) return 'must not contain a user name or password';
  const host = HOST_AND_PORT.exec(authority)?.[1]?.toLowerCase();
  if (host === undefined || !hasValidLabels(host)) return 'must have a valid host';
  const parsed = URL.parse(text);
  if (parsed === null) return 'must have a valid host and port';
  if (parsed.hostname !== host || parsed.protocol !== `${scheme.toLowerCase()}:`) {
    return `must use the normalized host name ${parsed.hostname}`;
  }
  if (parsed.protocol === 'http:' && !LOOPBACK_HOSTS.has(host) && !isHttpHost(host, rules)) {
    return 'must use https; http is for localhost, 127.0.0.1 and [::1] only';
  }
  return undefined;
}

function hasValidLabels(host: string): boolean {
  return (
    host.length <= MAX_HOST_LENGTH &&
    host.split('.').every((label) => label !== '' && label.length <= MAX_LABEL_LENGTH)
  );
}

/** What is wrong with the address of a page or picture: logo, home page, policy, terms. */
export function findWebUriFault(text: string): string | undefined {
  return findUriTextFault(text) ?? findHttpUriFault(text);
}

/** Returns the fault of a URI that this server sends logout tokens to (OpenID Connect Back-Channel Logout section 2.2). */
export function findBackchannelUriFault(text: string, rules: RedirectRules): string | undefined {
  const textFault = findUriTextFault(text);
  if (textFault !== undefined) return textFault;
  if (text.includes('#')) return 'must not have a fragment, not even an empty one';
  return findHttpUriFault(text, rules);
}
