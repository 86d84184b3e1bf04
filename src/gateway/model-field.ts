const KEY = Buffer.from('"model"');
// How far into the body the fast path looks for the model: clients send it before the messages.
const MAX_PREFIX_BYTES = 16 * 1024;
const MAX_MODEL_BYTES = 512;
// A value in plain characters; anything else is left to the JSON parser.
const VALUE = /^"model"[ \t\r\n]*:[ \t\r\n]*"([\x20\x21\x23-\x5b\x5d-\x7e]+)"/;

/** The `model` of a request body, and how to put another in its place. */
export interface ModelField {
  model: string;
  /** The body with that model instead; may reuse the memory of the old one. */
  replace(model: string): Buffer;
}

/**
 * Reads the model that a JSON body asks for. Bodies are passed on byte for byte, so the usual one
 * (a single `"model"` near the start) is neither parsed nor written anew; every other is, and then
 * the provider sees exactly the model that was read here.
 * @returns 'not-json' when the body is no JSON object, 'missing' when it has no model
 */
export function readModelField(body: Buffer): ModelField | 'not-json' | 'missing' {
  return locateModel(body) ?? parseModel(body);
}

function locateModel(body: Buffer): ModelField | undefined {
  const start = body.indexOf(KEY);
  if (start < 0 || start > MAX_PREFIX_BYTES) return undefined;
  // A second key, or one written with escapes, could make the provider read another model.
  if (body.includes(KEY, start + KEY.length) || body.includes('\\u')) return undefined;
  if (!isTopLevel(body, start)) return undefined;
  const match = VALUE.exec(body.toString('utf8', start, start + MAX_MODEL_BYTES));
  const model = match?.[1];
  if (match === null || model === undefined) return undefined;
  const end = start + match[0].length;
  return {
    model,
    replace(replacement) {
      const literal = JSON.stringify(replacement);
      const at = end - model.length - 2;
      const room = end - at;
      const bytes = Buffer.from(literal);
      if (bytes.length > room) {
        return Buffer.concat([body.subarray(0, at), bytes, body.subarray(end)]);
      }
      // White space after a value means nothing in JSON: nothing has to move.
      body.fill(0x20, at, end);
      bytes.copy(body, at);
      return body;
    },
  };
}

/** Whether the position is directly inside the outermost object. */
function isTopLevel(body: Buffer, position: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < position; i++) {
    const byte = body[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return depth === 1 && !inString;
}

function parseModel(body: Buffer): ModelField | 'not-json' | 'missing' {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    return 'not-json';
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'not-json';
  const { model } = parsed as { model?: unknown };
  if (typeof model !== 'string') return 'missing';
  return {
    model,
    replace: (replacement: string) =>
      Buffer.from(JSON.stringify({ ...parsed, model: replacement })),
  };
}
