import { type JsonObject, UntranslatableError } from '../../translation/translation.ts';
import { textIn } from '../../translation/json-fields.ts';

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

/**
 * A picture or a film: in the request itself, or where Gemini fetches it.
 * @param fallback media type of an address that does not show one
 */
export function mediaAt(url: unknown, fallback: string, field: string): JsonObject {
  if (typeof url !== 'string') throw new UntranslatableError(`${field}: must be an address`);
  if (/^data:/i.test(url)) return inline(url, field);
  if (!/^(?:https?|gs):\/\//i.test(url)) {
    throw new UntranslatableError(`${field}: must be a data:, https: or gs: address`);
  }
  const [path = ''] = url.split(/[?#]/, 1);
  return { fileData: { fileUri: url, mimeType: mediaTypeOf(path) ?? fallback } };
}

/** A sound in the request. */
export function inlineAudio(audio: JsonObject, field: string): JsonObject {
  const data = textIn(audio.data);
  const format = textIn(audio.format);
  if (data === undefined || format === undefined || !/^[a-z0-9]+$/.test(format)) {
    throw new UntranslatableError(`${field}: must have data and format`);
  }
  return { inlineData: { mimeType: `audio/${format}`, data } };
}

/** A file in the request. */
export function inlineFile(file: JsonObject, field: string): JsonObject {
  const data = textIn(file.file_data);
  if (data === undefined) {
    throw new UntranslatableError(`${field}: Gemini needs the file itself, in file_data`);
  }
  if (/^data:/i.test(data)) return inline(data, `${field}.file_data`);
  const mimeType = mediaTypeOf(textIn(file.filename) ?? '');
  if (mimeType === undefined) {
    throw new UntranslatableError(`${field}: neither file_data nor filename shows a media type`);
  }
  return { inlineData: { mimeType, data } };
}

/** RFC 2397, in its base64 form. */
function inline(url: string, field: string): JsonObject {
  const comma = url.indexOf(',');
  const [mimeType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  if (comma < 0 || parameters.at(-1)?.toLowerCase() !== 'base64' || mimeType === '') {
    throw new UntranslatableError(`${field}: must have a media type and be base64`);
  }
  return { inlineData: { mimeType, data: url.slice(comma + 1) } };
}

function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
