import { trimEnd } from '../../lib/trim-end.ts';

/** A receiver of the spans of a gateway. Contains secrets. */
export interface OtelTarget {
  accountId: string;
  gatewayId: string;
  /** The URL of the receiver. */
  url: URL;
  /** Alternating names and values. */
  headers: readonly string[];
  /** Identifies gateway, URL and credentials. Spans with different keys never share a request. */
  key: string;
}

/** The parts of a receiver. */
export type OtelTargetParts = Pick<OtelTarget, 'accountId' | 'gatewayId' | 'headers'> & {
  /** The URL in the settings. */
  url: string;
};

// `/v1/traces`, and the paths of vendors: `/api/v0.2/traces`, `/v2/trace/otlp`.
const SIGNAL_SEGMENT = /\/traces?(?:\/|$)/i;

/**
 * Returns the URL for spans. A path with a segment `traces` or `trace` stays unchanged. Any other URL is the base URL of a
 * receiver, below which `/v1/traces` receives spans (OTLP specification, "OTLP/HTTP Request").
 * @param text an http(s) URL without a query
 */
export function tracesUrl(text: string): URL {
  const url = new URL(text);
  if (SIGNAL_SEGMENT.test(url.pathname)) return url;
  url.pathname = `${trimEnd(url.pathname, '/')}/v1/traces`;
  return url;
}

/** Creates a receiver. */
export function createOtelTarget(parts: OtelTargetParts): OtelTarget {
  const { accountId, gatewayId, headers } = parts;
  const url = tracesUrl(parts.url);
  const key = JSON.stringify([accountId, gatewayId, url.href, ...headers]);
  return { accountId, gatewayId, url, headers, key };
}
