import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

/** A function tool of a Responses request. */
export const FUNCTION = {
  type: 'function',
  name: 'read',
  description: 'Reads a file.',
  strict: false,
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};

/** A custom tool, which takes a text. */
export const PATCH = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};

/** A message of the user. */
export const user = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
