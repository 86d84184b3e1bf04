import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** A compressed answer that is larger than it may be once it is decompressed. */
export class DecodedTooLargeError extends Error {}

export interface BodyDecoderHandlers {
  onChunk(chunk: Buffer): void;
  /** All of the body has been given out. */
  onEnd(): void;
  /** The body is damaged, cut short, or too large (DecodedTooLargeError); nothing comes after it. */
  onError(error: Error): void;
  /** More can be written, after `write` said no. */
  onDrain?(): void;
}

/** Decompresses a body that is pushed through it. It calls its handlers later, never from `write`. */
export interface BodyDecoder {
  /** @returns whether more may be written now; if not, wait for `onDrain` */
  write(chunk: Buffer): boolean;
  /** The compressed body is complete. */
  end(): void;
  /** Holds chunks back until `resume`; `write` says no when enough are held. */
  pause(): void;
  resume(): void;
  /** Gives up: no handler is called any more. */
  destroy(): void;
}

// RFC 9659: no content coding of the web needs a window of more than 8 MiB.
const ZSTD_WINDOW_LOG = 23;
// An event goes on when it is there, not when a block of the compression is full.
const PROMPT = { flush: constants.Z_SYNC_FLUSH };

/**
 * A decoder for answers that came compressed although we asked for `identity`.
 * @param contentEncoding the header's value
 * @param maxBytes so much may come out of it: a small body can hold a very large one
 * @returns undefined for an encoding that is not known, several on top of each other among them
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

// RFC 1950 section 2.2, the only one there is.
const DEFLATE_METHOD = 8;

/** RFC 9110 section 8.4.1.2: `deflate` means zlib, but some servers send it without zlib's header. */
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
    // What is written after its end goes nowhere: nobody has to wait for it.
    if (this.#isOver || firstByte === undefined) return true;
    this.#stream ??= this.#open(firstByte);
    return this.#stream.write(chunk);
  }

  end(): void {
    if (this.#isOver) return;
    if (this.#stream !== undefined) return void this.#stream.end();
    // An empty body is not even compressed, such as that of a 204.
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
