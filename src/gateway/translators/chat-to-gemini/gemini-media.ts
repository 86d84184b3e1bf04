import { UntranslatableError } from '../translator.ts';
import { textIn, type JsonObject } from '../../json/json-fields.ts';
import { isDataUrl, mediaTypeOf, readDataUrl } from '../media.ts';

/**
 * A picture or a film: in the request itself, or where Gemini fetches it.
 * @param fallback media type of an address that does not show one
 */
export function mediaAt(url: unknown, fallback: string, field: string): JsonObject {
  if (typeof url !== 'string') throw new UntranslatableError(`${field}: must be a URL`);
  if (isDataUrl(url)) return inline(url, field);
  if (!/^(?:https?|gs):\/\//i.test(url)) {
    throw new UntranslatableError(`${field}: must be a data:, https: or gs: URL`);
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
  if (isDataUrl(data)) return inline(data, `${field}.file_data`);
  const mimeType = mediaTypeOf(textIn(file.filename) ?? '');
  if (mimeType === undefined) {
    throw new UntranslatableError(`${field}: file_data or filename must determine the media type`);
  }
  return { inlineData: { mimeType, data } };
}

function inline(url: string, field: string): JsonObject {
  const media = readDataUrl(url);
  if (media === undefined) {
    throw new UntranslatableError(`${field}: must have a media type and be base64`);
  }
  return { inlineData: { mimeType: media.mediaType, data: media.base64 } };
}
