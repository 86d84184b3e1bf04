import type { HeaderPairs } from '../../gateway/providers/provider.ts';
import { trimEnd } from '../../lib/trim-end.ts';

/** Where the spans of a gateway go, ready to be used: it holds secrets. */
export interface OtelTarget {
  accountId: string;
  gatewayId: string;
  /** To which spans are sent. */
  url: URL;
  headers: HeaderPairs;
  /** Names the gateway, the address and the credentials: what differs in any of them is not mixed. */
  key: string;
}

/** What a target is made of. */
export type OtelTargetParts = Pick<OtelTarget, 'accountId' | 'gatewayId' | 'headers'> & {
  /** As it was written. */
  url: string;
};

// `/v1/traces`, and what vendors have in its place: `/api/v0.2/traces`, `/v2/trace/otlp`.
const SIGNAL_SEGMENT = /\/traces?(?:\/|$)/i;

/**
 * Where spans are sent. An address whose path has a segment `traces` or `trace` is meant for them and
 * taken as it is; any other is the base address of a receiver, below which `/v1/traces` is theirs
 * (OTLP specification, "OTLP/HTTP Request").
 * @param text an http(s) address without query
 */
export function tracesUrl(text: string): URL {
  const url = new URL(text);
  if (SIGNAL_SEGMENT.test(url.pathname)) return url;
  url.pathname = `${trimEnd(url.pathname, '/')}/v1/traces`;
  return url;
}

export function createOtelTarget(parts: OtelTargetParts): OtelTarget {
  const { accountId, gatewayId, headers } = parts;
  const url = tracesUrl(parts.url);
  const key = JSON.stringify([accountId, gatewayId, url.href, ...headers]);
  return { accountId, gatewayId, url, headers, key };
}
