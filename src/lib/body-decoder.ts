import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** The decompressed body exceeds its limit. */
export class DecodedTooLargeError extends Error {}

export interface BodyDecoderHandlers {
  onChunk(chunk: Buffer): void;
  /** The whole body was decompressed. */
  onEnd(): void;
  /** The body is damaged, truncated, or too large (DecodedTooLargeError). No other handler is called later. */
  onError(error: Error): void;
  /** More can be written after `write` has returned false. */
  onDrain?(): void;
}

/** Decompresses a body piece by piece. It calls its handlers later, never from `write`. */
export interface BodyDecoder {
  /** @returns false if the buffer is full: wait for `onDrain` */
  write(chunk: Buffer): boolean;
  /** The compressed body is complete. */
  end(): void;
  /** Holds chunks back until `resume`. `write` returns false if the buffer is full. */
  pause(): void;
  resume(): void;
  /** Ends the decompression without calling a handler. */
  destroy(): void;
}

// RFC 9659: content codings need a window of at most 8 MiB.
const ZSTD_WINDOW_LOG = 23;
// Events must not wait for the end of a compressed block.
const PROMPT = { flush: constants.Z_SYNC_FLUSH };

/**
 * Creates a decoder for a content coding.
 * @param contentEncoding value of the header
 * @param maxBytes limit of the decompressed body: a small body can contain a very large one
 * @returns undefined for an unknown coding and for several codings
 */
export function createBodyDecoder(
  contentEncoding: string,
  maxBytes: number,
  handlers: BodyDecoderHandlers,
): BodyDecoder | undefined {
  switch (contentEncoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return new ZlibDecoder(() => createGunzip(PROMPT), maxBytes, handlers);
    case 'deflate':
      return new ZlibDecoder(createDeflateDecoder, maxBytes, handlers);
    case 'br':
      return new ZlibDecoder(
        () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
        maxBytes,
        handlers,
      );
    case 'zstd':
      return new ZlibDecoder(
        () =>
          createZstdDecompress({
            flush: constants.ZSTD_e_flush,
            params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
          }),
        maxBytes,
        handlers,
      );
    default:
      return undefined;
  }
}

// RFC 1950 section 2.2.
const DEFLATE_METHOD = 8;

/** RFC 9110 section 8.4.1.2: `deflate` is the zlib format, but some servers omit its header. */
function createDeflateDecoder(firstByte: number): Transform {
  const isZlib = (firstByte & 0x0f) === DEFLATE_METHOD;
  return isZlib ? createInflate(PROMPT) : createInflateRaw(PROMPT);
}

class ZlibDecoder implements BodyDecoder {
  readonly #create: (firstByte: number) => Transform;
  readonly #maxBytes: number;
  readonly #handlers: BodyDecoderHandlers;
  #stream: Transform | undefined;
  #bytes = 0;
  #isOver = false;
  #isPaused = false;

  constructor(
    create: (firstByte: number) => Transform,
    maxBytes: number,
    handlers: BodyDecoderHandlers,
  ) {
    this.#create = create;
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  write(chunk: Buffer): boolean {
    const [firstByte] = chunk;
    // After the end, bytes are ignored.
    if (this.#isOver || firstByte === undefined) return true;
    this.#stream ??= this.#open(firstByte);
    return this.#stream.write(chunk);
  }

  end(): void {
    if (this.#isOver) return;
    if (this.#stream !== undefined) return void this.#stream.end();
    // An empty body, such as that of a 204, is not compressed.
    queueMicrotask(() => this.#finish(() => this.#handlers.onEnd()));
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  destroy(): void {
    this.#finish(() => {});
  }

  #open(firstByte: number): Transform {
    const stream = this.#create(firstByte);
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('drain', () => {
      if (!this.#isOver) this.#handlers.onDrain?.();
    });
    stream.on('end', () => this.#finish(() => this.#handlers.onEnd()));
    stream.on('error', (error) => this.#finish(() => this.#handlers.onError(error)));
    if (this.#isPaused) stream.pause();
    return stream;
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) return this.#handlers.onChunk(chunk);
    const error = new DecodedTooLargeError(
      `decompressed, the body exceeds ${this.#maxBytes} bytes`,
    );
    this.#finish(() => this.#handlers.onError(error));
  }

  #finish(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream?.destroy();
    tell();
  }
}
