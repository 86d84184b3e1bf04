import type { SentParameters } from './sent-parameters.ts';

/** A client as far as its redirect URIs are concerned. */
export interface RedirectingClient {
  authMethod: 'client_secret_basic' | 'client_secret_post' | 'none';
  redirectUris: readonly string[];
}

// Everything in front of the port, the port, and everything behind it.
const LOOPBACK =
  /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/;
const MAX_PORT = 65_535;

/** A loopback address in three parts; undefined for every other text. */
export function splitLoopback(
  uri: string,
): { host: string; port: string; rest: string } | undefined {
  const [, host, port = '', rest] = LOOPBACK.exec(uri) ?? [];
  if (host === undefined || rest === undefined || Number(port) > MAX_PORT) return undefined;
  return { host, port, rest };
}

/**
 * Whether the server takes a redirect URI: byte by byte, but for the port of a loopback address of a
 * client without a secret (RFC 8252 section 7.3).
 */
export function isRegistered(uri: string, client: RedirectingClient): boolean {
  if (client.redirectUris.includes(uri)) return true;
  const portless = client.authMethod === 'none' ? withoutPort(uri) : undefined;
  return (
    portless !== undefined && client.redirectUris.some((known) => withoutPort(known) === portless)
  );
}

function withoutPort(uri: string): string | undefined {
  const parts = splitLoopback(uri);
  return parts && parts.host + parts.rest;
}

/** Where two texts part, and where they meet again. */
export interface Difference {
  start: string;
  asked: string;
  registered: string;
  end: string;
}

/** How a text differs from the registered one that is most like it; undefined when there is none. */
export function nearestRegistered(
  asked: string,
  registered: readonly string[],
): Difference | undefined {
  const differences = registered.map((known) => differenceOf(asked, known));
  return differences.toSorted((a, b) => extentOf(a) - extentOf(b))[0];
}

function extentOf({ asked, registered }: Difference): number {
  return asked.length + registered.length;
}

function differenceOf(asked: string, registered: string): Difference {
  const most = Math.min(asked.length, registered.length);
  let start = 0;
  while (start < most && asked[start] === registered[start]) start++;
  let end = 0;
  while (end < most - start && asked.at(-1 - end) === registered.at(-1 - end)) end++;
  return {
    start: asked.slice(0, start),
    asked: asked.slice(start, asked.length - end),
    registered: registered.slice(start, registered.length - end),
    end: asked.slice(asked.length - end),
  };
}

/** What may be behind a redirect URI that is not registered, and what to do about it. */
export function explainMismatch(
  asked: string,
  { redirectUris, authMethod }: RedirectingClient,
  sent: SentParameters,
): string {
  const cause = CAUSES.find(({ fits }) => redirectUris.some((known) => fits(asked, known, sent)));
  if (cause !== undefined) return cause.mend;
  if (authMethod !== 'none' && splitLoopback(asked) !== undefined) {
    return 'Send the URI exactly as registered, including the port. Only clients without a secret may use any loopback port. Or register this URI.';
  }
  return 'Send a URI exactly as registered, or register this one.';
}

interface Cause {
  fits: (asked: string, known: string, sent: SentParameters) => boolean;
  mend: string;
}

const CAUSES: readonly Cause[] = [
  {
    fits: (asked, known) => isDecodable(asked) && decodeURIComponent(asked) === known,
    mend: 'The URI is percent-encoded twice. Encode it once. Most libraries do that automatically.',
  },
  {
    fits: (asked, known, { names }) =>
      known.startsWith(`${asked}&`) &&
      names.includes(known.slice(asked.length + 1).split('=')[0] ?? ''),
    mend: 'An & in the value ends the parameter. Encode it as %26.',
  },
  {
    fits: (asked, known) => asked === `${known}/` || `${asked}/` === known,
    mend: 'One of the two URIs ends with a slash. Send it exactly as registered, or register this one.',
  },
  {
    fits: (asked, known) => asked.replace(/^http:/, 'https:') === known,
    mend: 'The registered URI starts with https. Send that URI.',
  },
  {
    fits: (asked, known) => asked.toLowerCase() === known.toLowerCase(),
    mend: 'URIs are case-sensitive. Send it exactly as registered.',
  },
  {
    fits: (asked, known) => asked.startsWith(`${known}?`),
    mend: 'The query is part of the URI. Move its values into state, or register the URI with this query.',
  },
  {
    fits: (asked, known) => isOtherLoopback(asked, known),
    mend: 'localhost, 127.0.0.1 and [::1] are different hosts. Send the registered host, or register this URI.',
  },
];

function isDecodable(text: string): boolean {
  return /%[0-9a-f]{2}/i.test(text) && !/%(?![0-9a-f]{2})/i.test(text) && /%(?:3a|2f)/i.test(text);
}

function isOtherLoopback(asked: string, known: string): boolean {
  const [a, b] = [splitLoopback(asked), splitLoopback(known)];
  return a !== undefined && b !== undefined && a.host !== b.host && a.rest === b.rest;
}
