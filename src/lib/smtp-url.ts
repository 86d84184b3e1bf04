import ipaddr from 'ipaddr.js';

/** The server that takes our mail. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise the connection is upgraded by STARTTLS (RFC 3207). */
  isImplicitTls: boolean;
  /** On this machine: what is sent to it passes no network. */
  isLoopback: boolean;
  credentials: { user: string; password: string } | undefined;
}

// RFC 6409 and RFC 8314: the ports at which servers take mail from applications.
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * Reads `smtp://` or `smtps://`, `user:password@` (percent-encoded, optional), host and port.
 * @returns undefined when the text is anything else
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    return undefined;
  }
  if (url.search !== '' || url.hash !== '' || !['', '/'].includes(url.pathname)) return undefined;
  // One without the other is half of what somebody meant to write.
  if ((url.username === '') !== (url.password === '')) return undefined;
  const isImplicitTls = url.protocol === 'smtps:';
  const host = decode(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const user = decode(url.username);
  const password = decode(url.password);
  if (host === undefined || user === undefined || password === undefined) return undefined;
  return {
    host,
    port: Number(url.port) || (isImplicitTls ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    isImplicitTls,
    isLoopback: isLoopback(host),
    credentials: user === '' ? undefined : { user, password },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
