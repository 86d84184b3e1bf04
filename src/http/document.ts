import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified } from './entity-tags.ts';

const compress = promisify(gzip);

/** A text that many clients fetch and that never changes while the server runs. */
export class StaticDocument {
  readonly #text: string;
  readonly #etag: string;
  #compressed: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#etag = hash('sha256', text, 'base64url').slice(0, 22);
  }

  /**
   * Sends the document: 304 if the client has it (RFC 9110 section 13.1.2), and compressed if the client accepts gzip.
   * The ETag differs by content coding (section 8.8.3).
   */
  async send(request: FastifyRequest, reply: FastifyReply, type: string): Promise<FastifyReply> {
    const isCompressed = acceptsGzip(request.headers['accept-encoding']);
    const etag = `"${this.#etag}${isCompressed ? '-gzip' : ''}"`;
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type(type);
    if (!isCompressed) return reply.send(this.#text);
    this.#compressed ??= compress(this.#text);
    return reply.header('content-encoding', 'gzip').send(await this.#compressed);
  }
}

const CODING = /^(?:gzip|x-gzip|\*)$/;

/** Returns true if a client accepts the content coding gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()));
  const named = codings.find(([name]) => name === 'gzip' || name === 'x-gzip');
  const [coding = '', weight] = named ?? codings.find(([name]) => name === '*') ?? [];
  return CODING.test(coding) && !/^q=0(?:\.0*)?$/.test(weight ?? '');
}
