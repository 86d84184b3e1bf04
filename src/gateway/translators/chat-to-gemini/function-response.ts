import { measureJson } from '../../../http/parse-json.ts';
import { textIn, parseObject, type JsonObject } from '../../json/json-fields.ts';
import { generationOf } from './gemini-model.ts';

/** What a tool has answered. */
interface ToolResult {
  /** Of the call. */
  id: string;
  /** Of the function. */
  name: string;
  parts: JsonObject[];
}

/** The result of a tool; pictures go inside where the model knows that, and beside it elsewhere. */
export function functionResponse({ id, name, parts }: ToolResult, model: string): JsonObject[] {
  const text = parts.map((part) => textIn(part.text) ?? '').join('');
  const media = parts.filter((part) => part.text === undefined);
  const isInside = media.length > 0 && generationOf(model) >= 3;
  const result = {
    ...(id === '' ? {} : { id }),
    name,
    response: responseObject(text),
    ...(isInside ? { parts: media } : {}),
  };
  return [{ functionResponse: result }, ...(isInside ? [] : media)];
}

// A request may contain thousands of results, which are read at once.
const MAX_RESULT_VALUES = 5_000;

// Gemini keeps numbers as doubles: in an object, the last digits of a long id would change.
const LONG_NUMBER = /\d{16}/;

/** Gemini takes an object; `output` is its name for a result that is none. */
function responseObject(text: string): JsonObject {
  const isObject =
    text.trimStart().startsWith('{') &&
    !LONG_NUMBER.test(text) &&
    measureJson(text).values <= MAX_RESULT_VALUES;
  return (isObject ? parseObject(text) : undefined) ?? { output: text };
}
