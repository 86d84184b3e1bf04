import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { detectImageType } from './image-type.ts';
import { type Logo, createLogo } from './logo.ts';

// Far above what a picture of this size on a page needs.
export const MAX_LOGO_BYTES = 256 * 1024;

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a logo from where its client says that it is.
 * @param dispatcher that refuses addresses which others must not make the server connect to
 * @param logoUri https, or http for a loopback host
 * @param signal ends it
 * @returns undefined when there is no picture to be had, for whatever reason
 */
export async function fetchLogo(
  dispatcher: Dispatcher,
  logoUri: string,
  signal: AbortSignal,
): Promise<Logo | undefined> {
  try {
    const content = await follow(dispatcher, logoUri, signal);
    const contentType = content && detectImageType(content);
    return content && contentType !== undefined ? createLogo(contentType, content) : undefined;
  } catch {
    // Whatever it is, it is the fault of that server, or of whoever has named it.
    return undefined;
  }
}

async function follow(
  dispatcher: Dispatcher,
  logoUri: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  let url = new URL(logoUri);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      signal,
      // A logo is fetched once a day: whoever serves it shall not hold connections of ours.
      reset: true,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'latchkey' },
    });
    if (statusCode === 200) return await readAll(body);
    discard(body);
    const { location } = headers;
    if (!REDIRECTS.has(statusCode) || typeof location !== 'string') return undefined;
    url = new URL(location, url);
    if (url.protocol !== 'https:') return undefined;
  }
  return undefined;
}

/** The whole body; undefined for one that is too large. */
async function readAll(body: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > MAX_LOGO_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Ends the connection: there is nothing in the rest that anybody wants. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
