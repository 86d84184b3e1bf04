import { createId } from '../../../lib/ids.ts';
import { objectIn, textIn } from '../../json/json-fields.ts';

/** A call of a tool, as both APIs of OpenAI need it. */
export interface ToolCall {
  /** Of the call. */
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/**
 * The call that a request leaves no choice about: a tool that it names, or the first one when some
 * tool has to be called. Otherwise the model repeats the text and calls none.
 * @param tools names of the tools that may be called
 * @param text what the tool gets to read
 * @returns `unknown` when it names a tool that it does not have
 */
export function forcedCall(
  tools: readonly string[],
  choice: unknown,
  text: string,
): ToolCall | 'unknown' | undefined {
  const name = choice === 'required' ? tools[0] : nameIn(choice);
  if (name === undefined) return choice === 'required' ? 'unknown' : undefined;
  if (!tools.includes(name)) return 'unknown';
  return { id: `call_${createId()}`, name, arguments: JSON.stringify({ text }) };
}

/** `{type, function: {name}}` in chat completions, `{type, name}` in responses. */
function nameIn(choice: unknown): string | undefined {
  const { name, function: named } = objectIn(choice);
  return textIn(name) ?? textIn(objectIn(named).name);
}
