import type { IncomingHttpHeaders } from 'node:http';
import { commonHeaders } from '../../http/common-headers.ts';
import { firstOf, namedByConnection, type ResponseHeaders } from '../http-headers.ts';

/** Response headers of a provider that reach the client, each group for one reason. */
const PASSED: ReadonlySet<string> = new Set([
  // They describe the body, which passes unchanged (RFC 9110 section 8).
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'accept-ranges',
  // Clients compare versions of a provider's files by them.
  'etag',
  'last-modified',
  // Clients decide by them when to send a request again.
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  // A provider's support asks for them.
  'apim-request-id',
  'cf-ray',
  'mistral-correlation-id',
  'request-id',
  'x-amzn-requestid',
  'x-compute-time',
  'x-compute-type',
  'x-generation-id',
  'x-goog-request-id',
  'x-inference-id',
  'x-ms-client-request-id',
  'x-ms-region',
  'x-together-traceid',
  'server-timing',
  'x-envoy-upstream-service-time',
  // The AWS and Azure clients read the kind of an error, and the state of a call, from them.
  'x-amzn-errortype',
  'x-ms-error-code',
  'x-ms-rai-invoked',
  'operation-location',
  // The version of an API or of a model that answered.
  'api-supported-versions',
  'api-version',
  'x-model',
  'x-ms-deployment-name',
  // Cohere announces deprecations in it.
  'x-api-warning',
  // Speech services count what they charge for in it.
  'character-cost',
]);

const PASSED_PREFIXES = [
  // Clients pace themselves by the limits of their provider.
  'ratelimit',
  'x-ratelimit',
  // Rate limits, organization, model and duration, which the clients of these providers report.
  'anthropic-',
  'openai-',
  'fireworks-',
  'x-groq-',
  // Bedrock counts tokens in them.
  'x-amzn-bedrock-',
  // The Google clients upload files in several requests, which these headers connect.
  'x-goog-upload-',
];
const PASSED_PREFIX = new RegExp(`^(?:${PASSED_PREFIXES.join('|')})`);

/** Types that a browser shows without running or embedding anything. */
const INERT_TYPE =
  /^(?:application\/(?:[\w.-]{1,64}\+)?json|application\/(?:x-ndjson|jsonl|octet-stream|vnd\.amazon\.eventstream)|text\/(?:plain|event-stream|csv)|audio\/[\w.+-]{1,64}|video\/[\w.+-]{1,64}|image\/(?:png|jpeg|gif|webp|avif))[ \t]*(?:;[^,]*)?$/i;

/**
 * Selects the response headers of a provider that reach the client. The provider must not instruct a
 * browser, a cache or a reverse proxy on behalf of this server, so only listed names pass. A body that a
 * browser could open as a document of this origin, such as HTML, SVG, XML or PDF, becomes a download.
 */
export function downstreamHeaders(headers: Readonly<IncomingHttpHeaders>): ResponseHeaders {
  const passed: ResponseHeaders = {};
  const named = namedByConnection([headers.connection ?? []].flat());
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && isPassed(name) && !named.has(name)) passed[name] = value;
  }
  // One value: of several, browsers take the last.
  const contentType = firstOf(headers['content-type']);
  if (contentType !== undefined) passed['content-type'] = contentType;
  if (!INERT_TYPE.test(contentType ?? '')) passed['content-disposition'] = 'attachment';
  const upstreamId = headers['x-request-id'];
  if (upstreamId !== undefined) passed['x-upstream-request-id'] = upstreamId;
  return passed;
}

// A provider's response is on the origin of the pages, where it must not run, post a form or navigate.
const INERT_POLICY =
  "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/**
 * Adds the headers of every response of the gateway, with a policy that blocks scripts: a response of a provider must not
 * act as a page of this server.
 */
export function addOwnHeaders(headers: ResponseHeaders, requestId: string): void {
  Object.assign(headers, commonHeaders);
  headers['content-security-policy'] = INERT_POLICY;
  headers['x-request-id'] = requestId;
}

function isPassed(name: string): boolean {
  return PASSED.has(name) || PASSED_PREFIX.test(name);
}
