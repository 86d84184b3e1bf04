import { isObject, objectIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';

/** A call of a function as the chat tells it. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  extra_content?: JsonObject;
}

/** What the parts of a candidate say, or those of one piece of it. */
export interface ContentParts {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  /** Addresses of the kind `data:`. */
  images: string[];
  /** Signature of the text. */
  signature: string | undefined;
}

/**
 * @param idOf the id of a call that Gemini has given none, by its place among the calls here
 */
export function readContentParts(
  candidate: JsonObject,
  idOf: (index: number) => string,
): ContentParts {
  const said: ContentParts = {
    text: '',
    reasoning: '',
    calls: [],
    images: [],
    signature: undefined,
  };
  for (const part of objectsIn(objectIn(candidate.content).parts)) {
    const signature = textIn(part.thoughtSignature);
    const call = part.functionCall;
    if (isObject(call)) {
      said.calls.push(toToolCall(call, signature, idOf(said.calls.length)));
      continue;
    }
    const text = textIn(part.text) ?? '';
    if (part.thought === true) said.reasoning += text;
    else said.text += text;
    said.signature = signature ?? said.signature;
    const image = imageOf(part);
    if (image !== undefined) said.images.push(image);
  }
  return said;
}

function toToolCall(call: JsonObject, signature: string | undefined, ownId: string): ToolCall {
  return {
    id: textIn(call.id) ?? ownId,
    type: 'function',
    function: {
      name: textIn(call.name) ?? '',
      arguments: JSON.stringify(objectIn(call.args)),
    },
    ...extraContent(signature),
  };
}

/** A thought signature, where Google's own OpenAI-compatible endpoint carries it. */
export function extraContent(signature: string | undefined): { extra_content?: JsonObject } {
  if (signature === undefined) return {};
  return { extra_content: { google: { thought_signature: signature } } };
}

/** A picture that the model has made, unless it is a sketch among its thoughts. */
function imageOf(part: JsonObject): string | undefined {
  const { mimeType, data } = objectIn(part.inlineData);
  if (part.thought === true || typeof mimeType !== 'string' || typeof data !== 'string') {
    return undefined;
  }
  return mimeType.startsWith('image/') ? `data:${mimeType};base64,${data}` : undefined;
}

/** Pictures as other gateways tell them in a chat, which has no place of its own for them. */
export function imageFields(images: readonly string[]): { images?: JsonObject[] } {
  if (images.length === 0) return {};
  return { images: images.map((url, index) => ({ index, type: 'image_url', image_url: { url } })) };
}
