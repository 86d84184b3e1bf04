/** What is to be said of an address that somebody types, before the server has seen it. */
export interface BaseUrlFinding {
  /** It will be refused, whatever the operator has opened. */
  fault?: string;
  /** It will be refused, unless the operator has opened it. */
  doubt?: string;
  /** How the operator opens it: an entry of LATCHKEY_UPSTREAM_ALLOW. */
  entry?: string;
}

// RFC 6761 section 6.3.
const LOOPBACK_NAME = /(?:^|\.)localhost$/;
const IPV4 = /^(\d+)\.(\d+)\.\d+\.\d+$/;

/**
 * Reads the address of a custom provider as the server does, but for what only the server knows: which
 * addresses its operator has opened.
 * @param ownOrigins of this server
 */
export function findBaseUrlFault(text: string, ownOrigins: readonly string[]): BaseUrlFinding {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { fault: 'Enter a complete URL, such as https://models.example.com/v1.' };
  }
  if (url.username !== '' || url.password !== '') {
    return { fault: 'Remove the user name and password. Store the key in a gateway instead.' };
  }
  if (text.includes('#')) return { fault: "The URL can't contain a fragment (#)." };
  if (url.port === '0') return { fault: 'Port 0 is not a valid port.' };
  if (ownOrigins.includes(url.origin)) return { fault: 'This URL belongs to this server.' };
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const shown = host.includes(':') ? `[${host}]` : host;
  const entry = url.port === '' ? host : `${shown}:${url.port}`;
  if (!isPublicHost(host)) {
    return { doubt: 'This host is not on the public Internet.', entry };
  }
  if (url.protocol === 'http:') {
    return {
      doubt: 'Plain HTTP exposes the key and the requests to every network in between.',
      entry,
    };
  }
  return {};
}

/** The addresses that people meet; the server knows them all. */
function isPublicHost(host: string): boolean {
  if (host.includes(':')) return !/^(?:::|f[cd]|fe[89a-f]|ff|64:ff9b:|2001:db8:)/i.test(host);
  const [, first, second] = IPV4.exec(host) ?? [];
  if (first === undefined) return host.includes('.') && !LOOPBACK_NAME.test(host);
  const [a, b] = [Number(first), Number(second)];
  const isPrivate =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168);
  return !isPrivate;
}
