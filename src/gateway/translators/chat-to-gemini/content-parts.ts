import { isObject, objectIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';

/** A function call of a chat completion. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  extra_content?: JsonObject;
}

/** The content of a candidate, or of one of its chunks. */
export interface ContentParts {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  /** `data:` URLs. */
  images: string[];
  /** Signature of the text. */
  signature: string | undefined;
}

/**
 * Reads the parts of a candidate.
 * @param idOf returns the id of a call without one, by its index
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

/** Returns a thought signature as the member of Google's own OpenAI-compatible endpoint. */
export function extraContent(signature: string | undefined): { extra_content?: JsonObject } {
  if (signature === undefined) return {};
  return { extra_content: { google: { thought_signature: signature } } };
}

/** Returns the URL of an image of the model, unless it belongs to its thoughts. */
function imageOf(part: JsonObject): string | undefined {
  const { mimeType, data } = objectIn(part.inlineData);
  if (part.thought === true || typeof mimeType !== 'string' || typeof data !== 'string') {
    return undefined;
  }
  return mimeType.startsWith('image/') ? `data:${mimeType};base64,${data}` : undefined;
}

/** Returns images in the member that other gateways use, because a chat completion has none for them. */
export function imageFields(images: readonly string[]): { images?: JsonObject[] } {
  if (images.length === 0) return {};
  return { images: images.map((url, index) => ({ index, type: 'image_url', image_url: { url } })) };
}
