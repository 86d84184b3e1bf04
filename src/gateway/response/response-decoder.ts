import type { IncomingHttpHeaders } from 'node:http';
import { firstOf } from '../http-headers.ts';
import {
  type BodyDecoder,
  type BodyDecoderHandlers,
  createBodyDecoder,
} from '../../lib/body-decoder.ts';

// The response passes piece by piece, so the limit only ends endless ones.
const MAX_DECODED_BYTES = 1024 * 1024 * 1024;
const PARTIAL_CONTENT = 206;

/** A compressed response that the gateway decodes. */
export interface DecodedResponse {
  /** The headers of the decoded response. */
  headers: IncomingHttpHeaders;
  /** Undefined: the coding is `identity`. */
  decoder: BodyDecoder | undefined;
}

/**
 * Begins to decode a response that the provider has compressed, although the gateway requests `identity`: log, usage,
 * translation and WebSocket need the plain bytes (RFC 9110 section 7.7 allows the change).
 * @returns undefined for a part of a body, and for a coding that is not supported
 */
export function decodeResponse(
  status: number,
  received: IncomingHttpHeaders,
  handlers: BodyDecoderHandlers,
): DecodedResponse | undefined {
  const { 'content-encoding': coding, ...headers } = received;
  const name = firstOf(coding)?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return { headers, decoder: undefined };
  if (status === PARTIAL_CONTENT) return undefined;
  const decoder = createBodyDecoder(name, MAX_DECODED_BYTES, handlers);
  if (decoder === undefined) return undefined;
  delete headers['content-length'];
  // A strong validator is for exactly the compressed bytes (RFC 9110 section 8.8.1).
  if (headers.etag?.startsWith('"') === true) headers.etag = `W/${headers.etag}`;
  return { headers, decoder };
}
