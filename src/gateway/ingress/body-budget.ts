import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, unavailable } from '../../http/errors.ts';
import { DecodedTooLargeError, createBodyDecoder } from '../../lib/body-decoder.ts';
import { GatewayError, asGatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';

export interface BodyLimits {
  /** Limit of one body. */
  bodyLimitBytes: number;
  /** Limit of the bodies of all requests in progress. A body is kept for retries until its request ends. */
  bodiesLimitBytes: number;
}

// A connection itself uses about as much memory, so the limit does not count such bodies.
const SMALL_BODY_BYTES = 64 * 1024;

const NO_BODY = Buffer.alloc(0);

const CODINGS = 'gzip, deflate, br, zstd';
const MAX_CODING_CHARACTERS = 64;

/** RFC 9110 section 15.5.16. */
function unsupportedCoding(contentEncoding: string): GatewayError {
  const coding = contentEncoding.slice(0, MAX_CODING_CHARACTERS);
  const message = `content-encoding ${coding} is not supported; supported: ${CODINGS}`;
  return new GatewayError(httpErrors.notJson, { message, headers: { 'accept-encoding': CODINGS } });
}

function undecodable(contentEncoding: string, cause: Error): GatewayError {
  const message = `The request body is not valid ${contentEncoding}`;
  return new GatewayError(httpErrors.malformedRequest, { message, cause });
}

function tooManyBytes(): GatewayError {
  return asGatewayError(unavailable('the server has too many large requests in progress'));
}

function incomplete(cause: Error): GatewayError {
  return new GatewayError(httpErrors.malformedRequest, { cause });
}

/** Returns true for a body that Node.js may buffer anyway. The limit does not count it. */
export function isSmall({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? Number.NaN) <= SMALL_BODY_BYTES;
}

/** Reads the bodies of requests to the gateway within a memory limit for all of them together. */
export class BodyBudget {
  readonly #limits: BodyLimits;
  readonly #responses = new WeakMap<FastifyRequest, ServerResponse>();
  #reservedBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Reads bodies of all types without parsing: they are forwarded byte for byte. */
  addTo(http: FastifyInstance): void {
    http.removeAllContentTypeParsers();
    http.addContentTypeParser('*', (request, _payload, done) => this.#read(request, done));
  }

  /** Counts the body of an admitted request against the limit. Call it before {@link read}, unless the body is small. */
  track(request: FastifyRequest, response: ServerResponse): void {
    if (!isSmall(request)) this.#responses.set(request, response);
  }

  /**
   * Reads the whole body of an admitted request, or a small body of any request.
   * @throws GatewayError 413 or 503 if it is too large, 400 if it breaks off
   */
  read(request: FastifyRequest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#read(request, (error, body = NO_BODY) =>
        error === null ? resolve(body) : reject(error),
      );
    });
  }

  #read(request: FastifyRequest, done: (error: GatewayError | null, body?: Buffer) => void): void {
    const payload = request.raw;
    const { bodyLimitBytes, bodiesLimitBytes } = this.#limits;
    const response = this.#responses.get(request);
    const chunks: Buffer[] = [];
    let bytes = 0;
    response?.once('close', () => {
      this.#reservedBytes -= bytes;
    });
    const stop = (error: GatewayError | null, body?: Buffer): void => {
      payload.off('data', onData);
      payload.off('end', onEnd);
      payload.off('error', onError);
      payload.off('close', onClose);
      done(error, body);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (response !== undefined) this.#reservedBytes += chunk.length;
      if (bytes > bodyLimitBytes) stop(new GatewayError(gatewayErrors.bodyTooLarge));
      else if (response !== undefined && this.#reservedBytes > bodiesLimitBytes) {
        stop(tooManyBytes());
      } else chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [first] = chunks;
      // Copies the chunks, which are slices of larger buffers.
      stop(null, first === undefined ? NO_BODY : Buffer.concat(chunks, bytes));
    };
    const onError = (error: Error): void => stop(incomplete(error));
    const onClose = (): void => onError(new Error('the request body is incomplete'));
    if (Number(request.headers['content-length'] ?? 0) > bodyLimitBytes) {
      done(new GatewayError(gatewayErrors.bodyTooLarge));
      return;
    }
    payload.on('data', onData);
    payload.on('end', onEnd);
    payload.on('error', onError);
    payload.on('close', onClose);
  }

  /**
   * Decodes a compressed body, within the same limits as one that is not compressed.
   * @param response its end releases the memory
   * @throws GatewayError 415 for a coding that is not supported, 400 for a damaged body, 413 and 503 for one that is too
   *   large
   */
  decode(body: Buffer, contentEncoding: string, response: ServerResponse): Promise<Buffer> {
    const { bodyLimitBytes, bodiesLimitBytes } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    let bytes = 0;
    const decoder = createBodyDecoder(contentEncoding, bodyLimitBytes, {
      onChunk: (chunk) => {
        bytes += chunk.length;
        this.#reservedBytes += chunk.length;
        chunks.push(chunk);
        if (this.#reservedBytes <= bodiesLimitBytes) return;
        decoder?.destroy();
        reject(tooManyBytes());
      },
      onEnd: () => resolve(Buffer.concat(chunks, bytes)),
      onError: (cause) =>
        reject(
          cause instanceof DecodedTooLargeError
            ? new GatewayError(gatewayErrors.bodyTooLarge)
            : undecodable(contentEncoding, cause),
        ),
    });
    if (decoder === undefined) throw unsupportedCoding(contentEncoding);
    if (response.destroyed) throw incomplete(new Error('the client disconnected'));
    response.once('close', () => {
      // The limit would not count what is decoded after the release.
      decoder.destroy();
      this.#reservedBytes -= bytes;
      reject(incomplete(new Error('the client disconnected')));
    });
    decoder.write(body);
    decoder.end();
    return promise;
  }

  /**
   * Counts the bytes of a WebSocket message against the limit.
   * @returns a function that releases them; undefined if the limit is reached
   */
  reserve(bytes: number): (() => void) | undefined {
    if (this.#reservedBytes + bytes > this.#limits.bodiesLimitBytes) return undefined;
    this.#reservedBytes += bytes;
    return () => {
      this.#reservedBytes -= bytes;
    };
  }
}
