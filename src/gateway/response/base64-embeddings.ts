import { isObject, parseObject } from '../json/json-fields.ts';
import type { JsonRewrite } from './json-rewriter.ts';

const FIRST_VECTOR = /"embedding"\s{0,8}:\s{0,8}(\[|")/;
// Longer inputs of embeddings are rare, and parsing them would block the event loop.
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * An embeddings request asks for vectors in base64, as the OpenAI library does by default.
 * @param body of the request
 */
export function asksBase64(body: Buffer): boolean {
  if (body.length > MAX_REQUEST_BYTES || !body.includes('"base64"')) return false;
  return parseObject(body.toString())?.encoding_format === 'base64';
}

/** Encodes the vectors of providers that respond with lists of numbers, which the OpenAI library decodes to zeros. */
export const base64Embeddings: JsonRewrite = {
  staysUnchanged(head) {
    const [, sign] = FIRST_VECTOR.exec(head) ?? [];
    return sign === undefined ? undefined : sign === '"';
  },
  rewrite(body) {
    const parsed = parseObject(body.toString());
    if (!Array.isArray(parsed?.data)) return undefined;
    let isChanged = false;
    const data = (parsed.data as unknown[]).map((item) => {
      if (!isObject(item) || !isVector(item.embedding)) return item;
      isChanged = true;
      // All platforms of Node.js are little-endian, as the encoding is.
      const bytes = Buffer.from(Float32Array.from(item.embedding).buffer);
      return { ...item, embedding: bytes.toString('base64') };
    });
    return isChanged ? Buffer.from(JSON.stringify({ ...parsed, data })) : undefined;
  },
};

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}
