import { parseObject } from './translation/json-fields.ts';

// Longer inputs of embeddings are rare, and parsing them would block the event loop.
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * An embeddings request asks for vectors in base64, as the OpenAI library does by default.
 * @param body of the request
 */
export function asksBase64(body: Buffer): boolean {
  if (body.length > MAX_BYTES || !body.includes('"base64"')) return false;
  return parseObject(body.toString())?.encoding_format === 'base64';
}
