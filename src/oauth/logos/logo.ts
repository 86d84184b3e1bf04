import { createHash } from 'node:crypto';

/** A picture. */
export interface Logo {
  contentType: string;
  content: Buffer;
  /** A strong entity tag (RFC 9110 section 8.8.3). */
  etag: string;
}

export function createLogo(contentType: string, content: Buffer): Logo {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return { contentType, content, etag };
}
