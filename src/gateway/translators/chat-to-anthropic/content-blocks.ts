import { isObject, objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';
import { mediaTypeOf, readDataUrl } from '../media.ts';
import { UntranslatableError } from '../translator.ts';

/**
 * Translates the content of a chat message to content blocks. Omits blank texts, which the API rejects.
 * @param place names the content in errors
 * @throws UntranslatableError for parts that the API cannot express
 */
export function contentBlocks(content: unknown, place: string): JsonObject[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return textBlocks(content);
  if (!Array.isArray(content)) {
    throw new UntranslatableError(`${place} must be a string or a list of parts`);
  }
  return content.flatMap((part: unknown, index) => partBlocks(part, `${place}[${index}]`));
}

function textBlocks(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function partBlocks(part: unknown, place: string): JsonObject[] {
  if (!isObject(part)) throw new UntranslatableError(`${place} is not an object`);
  const blocks = translatePart(part, place);
  return blocks.map((block) => withCacheControl(block, part));
}

/** Copies `cache_control` from a part to its block. Clients send this member, although the OpenAI API lacks it. */
export function withCacheControl(block: JsonObject, origin: JsonObject): JsonObject {
  const { cache_control: cacheControl } = origin;
  return isObject(cacheControl) ? { ...block, cache_control: cacheControl } : block;
}

function translatePart(part: JsonObject, place: string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(textIn(part.text) ?? '');
    case 'refusal':
      return textBlocks(textIn(part.refusal) ?? '');
    case 'image_url': {
      const { image_url: image } = part;
      const url = textIn(image) ?? textIn(objectIn(image).url);
      if (url === undefined) throw new UntranslatableError(`${place}.image_url.url is missing`);
      return [addressedBlock(url, 'image', `${place}.image_url.url`)];
    }
    case 'file':
      return [fileBlock(objectIn(part.file), `${place}.file`)];
    default:
      throw new UntranslatableError(
        `${place}.type: Anthropic models do not support ${JSON.stringify(part.type)}`,
      );
  }
}

function fileBlock(file: JsonObject, place: string): JsonObject {
  const contents = textIn(file.file_data);
  if (contents === undefined) {
    throw new UntranslatableError(
      `${place}.file_data is missing; a file_id is only valid for its own provider`,
    );
  }
  const name = textIn(file.filename);
  const block = /^[a-z][a-z0-9+.-]*:/i.test(contents.slice(0, 32))
    ? addressedBlock(contents, 'document', `${place}.file_data`)
    : encodedBlock(mediaTypeOf(name ?? '') ?? 'application/pdf', contents, `${place}.file_data`);
  return name === undefined || block.type !== 'document' ? block : { ...block, title: name };
}

/** Returns the source of a URL, which may be a `data:` URL. */
function addressedBlock(url: string, type: 'image' | 'document', place: string): JsonObject {
  if (/^https?:\/\//i.test(url)) return { type, source: { type: 'url', url } };
  const media = readDataUrl(url);
  if (media === undefined) {
    throw new UntranslatableError(`${place} must be an http URL or a base64 data: URL`);
  }
  return encodedBlock(media.mediaType, media.base64, place);
}

function encodedBlock(mediaType: string, base64: string, place: string): JsonObject {
  if (mediaType.startsWith('image/')) {
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
  }
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data: base64 } };
  }
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    const text = Buffer.from(base64, 'base64').toString();
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } };
  }
  throw new UntranslatableError(
    `${place}: Anthropic models support images, PDF and text, not ${JSON.stringify(mediaType)}`,
  );
}
