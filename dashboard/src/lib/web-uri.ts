/** What is wrong with an address. */
export interface UriFault {
  /** A sentence. */
  reason: string;
  /** The address that was probably meant, without any fault. */
  suggestion?: string;
}

const MAX_URI_LENGTH = 2_048;
const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

// The rules are those of the server, which judges the text as it is: browsers repair addresses, each in its
// own way, and a redirect URI is compared byte by byte.
const URI_TEXT = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const ESCAPED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/;
const HTTP_URI = /^(https?):\/\/([^/?#]+)(.*)$/i;
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?)(?::[1-9][0-9]{0,4})?$/i;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host is this machine and no other, so that http is safe. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOSTS.has(host.toLowerCase());
}

/** A fault with what was meant instead, if that is an address at all. */
export function faultOf(reason: string, suggestion?: string): UriFault {
  return suggestion === undefined ? { reason } : { reason, suggestion };
}

const MAX_REPAIRS = 5;

/**
 * A fault whose suggestion can be taken: what is wrong with that is repaired in turn, and one that cannot be
 * repaired is left out.
 */
export function settled(
  fault: UriFault | undefined,
  find: (text: string) => UriFault | undefined,
): UriFault | undefined {
  if (fault === undefined) return undefined;
  let { suggestion } = fault;
  for (let i = 0; i < MAX_REPAIRS && suggestion !== undefined; i++) {
    const next = find(suggestion);
    if (next === undefined) return { reason: fault.reason, suggestion };
    suggestion = next.suggestion;
  }
  return { reason: fault.reason };
}

/** The text as browsers would write it, when they would read an http address out of it. */
function asBrowsersWrite(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const { href } = url;
  return href !== text && URI_TEXT.test(href) && !ESCAPED_CONTROL.test(href) ? href : undefined;
}

/** What is wrong with the characters of an address of whatever scheme. */
export function findUriTextFault(text: string): UriFault | undefined {
  if (text === '') return faultOf('Enter a URL.');
  if (text.length > MAX_URI_LENGTH) {
    return faultOf(`The URL has ${text.length} characters. The maximum is ${MAX_URI_LENGTH}.`);
  }
  if (BLANK_OR_CONTROL.test(text)) {
    const joined = text.replaceAll(/[\s\p{Cc}]/gu, '');
    const reason = 'The URL contains a space or an invisible character.';
    return faultOf(reason, joined === '' ? undefined : joined);
  }
  if (text.includes('\\')) {
    return faultOf('Use slashes instead of backslashes.', text.replaceAll('\\', '/'));
  }
  if (!URI_TEXT.test(text)) {
    return faultOf(
      'The URL contains characters that must be encoded. Write the host in Punycode and percent-encode the rest.',
      asBrowsersWrite(text),
    );
  }
  if (BROKEN_ESCAPE.test(text)) {
    const escaped = text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');
    return faultOf('Two hex digits must follow “%”. Write “%” itself as %25.', escaped);
  }
  if (ESCAPED_CONTROL.test(text)) return faultOf('The URL contains an encoded control character.');
  return undefined;
}

/** What is wrong with an http or https address that has no fault in its characters. */
export function findHttpUriFault(text: string): UriFault | undefined {
  const [, scheme, authority = ''] = HTTP_URI.exec(text) ?? [];
  if (scheme === undefined)
    return faultOf('Enter a complete URL with https:// and a host.', guess(text));
  if (authority.includes('@')) {
    return faultOf("The URL can't contain a user name or password.");
  }
  const host = HOST_AND_PORT.exec(authority)?.[1]?.toLowerCase();
  if (host === undefined || !hasValidLabels(host)) {
    return faultOf(`“${authority}” is not a valid host name.`);
  }
  const parsed = URL.parse(text);
  if (parsed === null) return faultOf(`“${authority}” is not a valid host and port.`);
  if (parsed.hostname !== host || parsed.protocol !== `${scheme.toLowerCase()}:`) {
    const reason = `Browsers read the host as ${parsed.hostname}. Write it in this form.`;
    return faultOf(reason, asBrowsersWrite(text));
  }
  if (parsed.protocol === 'http:' && !isLoopbackHost(host)) {
    return faultOf(
      "Use https, so that others can't read the traffic. Plain http is allowed only for localhost, 127.0.0.1 and [::1].",
      text.replace(/^http:/i, 'https:'),
    );
  }
  return undefined;
}

/** "https:/app.example.com" as it was meant. */
function guess(text: string): string | undefined {
  const [, scheme = '', rest = ''] = /^(https?):\/*([^/?#].*)$/i.exec(text) ?? [];
  return rest === '' ? undefined : `${scheme.toLowerCase()}://${rest}`;
}

function hasValidLabels(host: string): boolean {
  const labels = host.split('.');
  const areSized = labels.every((label) => label !== '' && label.length <= MAX_LABEL_LENGTH);
  return host.length <= MAX_HOST_LENGTH && areSized;
}

/** "app.example.com/logo.png" with the scheme that was left out. */
export function withScheme(text: string): string | undefined {
  const isHost = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::[0-9]+)?(?:[/?].*)?$/i.test(text);
  if (!isHost) return undefined;
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?=[:/?]|$)/i.test(text);
  return `${isLocal ? 'http' : 'https'}://${text}`;
}

/** What is wrong with the address of a page or a picture: logo, home page, policy, terms. */
export function findWebUriFault(text: string): UriFault | undefined {
  return settled(findFault(text), findFault);
}

function findFault(text: string): UriFault | undefined {
  const fault = findUriTextFault(text);
  if (fault !== undefined) return fault;
  const full = HTTP_URI.test(text) ? undefined : withScheme(text);
  if (full !== undefined) return faultOf('The scheme is missing.', full);
  return findHttpUriFault(text);
}
