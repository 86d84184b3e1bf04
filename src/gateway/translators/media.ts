/** Media types by the extension of a file name. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mp3'],
  ['flac', 'audio/flac'],
  ['ogg', 'audio/ogg'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
]);

/** Returns the media type of a file name or of the path of a URL. */
export function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** The content of a `data:` URL. */
export interface InlineMedia {
  mediaType: string;
  base64: string;
}

/** Returns true for a `data:` URL. */
export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/**
 * Reads a `data:` URL (RFC 2397) with a media type and base64.
 * @returns undefined for any other URL
 */
export function readDataUrl(url: string): InlineMedia | undefined {
  const comma = url.indexOf(',');
  if (!isDataUrl(url) || comma < 0) return undefined;
  const [written = '', ...parameters] = url.slice('data:'.length, comma).toLowerCase().split(';');
  if (written === '' || parameters.at(-1)?.trim() !== 'base64') return undefined;
  // Many clients send this type, which is not registered and which no provider accepts.
  const mediaType = written === 'image/jpg' ? 'image/jpeg' : written;
  return { mediaType, base64: url.slice(comma + 1) };
}
