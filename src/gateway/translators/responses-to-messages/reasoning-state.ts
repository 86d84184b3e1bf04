import { objectsIn, parseObject, textIn, type JsonObject } from '../../json/json-fields.ts';

/** Begins the `encrypted_content` that the gateway writes. */
export const GATEWAY_THOUGHT = 'latchkey-1.';
// Signatures have some kilobytes.
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Returns the `encrypted_content` of a reasoning item: the block of the Messages API that the client returns in the next
 * request. The block is only encoded, because the signature of its provider protects it.
 */
export function encodeThought(block: JsonObject): string {
  return GATEWAY_THOUGHT + Buffer.from(JSON.stringify(block)).toString('base64url');
}

/** Returns the blocks of a reasoning item, without a signature if another provider has encrypted it. */
export function thoughtsOf(item: JsonObject): JsonObject[] {
  const encrypted = textIn(item.encrypted_content) ?? '';
  if (encrypted.startsWith(GATEWAY_THOUGHT) && encrypted.length <= MAX_CHARACTERS) {
    const text = Buffer.from(encrypted.slice(GATEWAY_THOUGHT.length), 'base64url').toString();
    const block = parseObject(text);
    if (block?.type === 'thinking' || block?.type === 'redacted_thinking') return [block];
  }
  const texts = [...objectsIn(item.content), ...objectsIn(item.summary)];
  const thinking = texts.map((part) => textIn(part.text) ?? '').join('\n');
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }];
}
