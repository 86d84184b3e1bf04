import {
  type AgentDialect,
  type Body,
  type ModelReply,
  type ModelTurn,
  demand,
  nextId,
  pieces,
} from './model.ts';

/** `generateContent` of the Gemini API, with the rules of Gemini 3 for thought signatures. */
export const gemini: AgentDialect = {
  read(body, path) {
    const instruction = body.systemInstruction ?? body.system_instruction;
    const system = textOf(instruction?.parts ?? []);
    const turns: ModelTurn[] = [{ role: 'system', text: system, images: [], calls: [] }];
    const contents = merged(body.contents);
    const prompt = contents.findLastIndex(
      ({ role, parts }: Body) =>
        role !== 'model' && !parts.some((part: Body) => part.functionResponse),
    );
    let calls: Body[] = [];
    for (const [index, { role, parts }] of contents.entries()) {
      demand(parts.length > 0, 'contents.parts must not be empty');
      const responses = parts.filter((part: Body) => part.functionResponse);
      // A resumed session of Gemini CLI repeats responses.
      const distinct = new Set(responses.map((part: Body) => part.functionResponse.id ?? part));
      demand(
        distinct.size === calls.length,
        'the number of function response parts must equal that of the function call parts',
      );
      // Subagents of Gemini CLI send the IDs of the responses only.
      const withoutId = calls.filter(({ functionCall }: Body) => functionCall.id === undefined);
      for (const [place, { functionResponse }] of responses.entries()) {
        const { id } = functionResponse;
        const isAnswer = ({ functionCall }: Body): boolean => functionCall.id === id;
        const call = id === undefined ? calls[place] : (calls.find(isAnswer) ?? withoutId[place]);
        demand(functionResponse.name === call?.functionCall.name, `no function call ${id}`);
        turns.push({
          role: 'tool',
          text: functionResponse.response.output ?? JSON.stringify(functionResponse.response),
          images: imagesIn(functionResponse.parts ?? []),
          calls: [],
        });
      }
      calls = parts.filter((part: Body) => part.functionCall);
      demand(calls.length === 0 || role === 'model', 'a function call must be of the model');
      if (calls.length > 0 && index > prompt)
        demand(SIGNATURES.has(calls[0].thoughtSignature), 'missing a thought_signature');
      turns.push({
        role: role === 'model' ? 'assistant' : 'user',
        text: textOf(parts),
        images: imagesIn(parts),
        calls: calls.map(({ functionCall: { name, args } }: Body) => ({ name, arguments: args })),
      });
    }
    demand(calls.length === 0, 'the function calls have no responses');
    const tools = (body.tools ?? [])
      .flatMap((tool: Body) => tool.functionDeclarations ?? tool.function_declarations ?? [])
      .map(({ name }: Body) => name);
    return { model: /models\/([^:]+)/.exec(path)?.[1] ?? '', tools, turns };
  },
  write: (reply, body) => responseOf(partsOf(reply, body), 'STOP'),
  *stream(reply, body) {
    for (const part of partsOf(reply, body)) {
      const texts = part.text === undefined ? [undefined] : pieces(part.text);
      for (const text of texts)
        yield { data: responseOf([text === undefined ? part : { ...part, text }]) };
    }
    yield { data: responseOf([{ text: '' }], 'STOP') };
  },
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

/** Joins neighbors of one role: `@google/genai` keeps each chunk of a stream as a content. */
function merged(contents: Body[]): Body[] {
  const whole: Body[] = [];
  for (const { role = 'user', parts } of contents) {
    const last = whole.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else whole.push({ role, parts: [...parts] });
  }
  return whole;
}

const SIGNATURE = 'c2lnbmF0dXJlIG9mIHRoZSBtb2RlbA==';
/** The second one is Google's for calls of other models. */
const SIGNATURES = new Set([
  SIGNATURE,
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);

function responseOf(parts: object[], finishReason?: string) {
  const end = finishReason === undefined ? {} : { finishReason };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...end }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'gemini-3-pro',
    responseId: nextId('response'),
  };
}

function partsOf({ thought, text, calls = [] }: ModelReply, body: Body): Body[] {
  const config = body.generationConfig?.thinkingConfig;
  return [
    ...(thought !== undefined && config?.includeThoughts === true
      ? [{ text: thought, thought: true }]
      : []),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map((call, index) => ({
      functionCall: { name: call.name, args: call.arguments },
      ...(index === 0 ? { thoughtSignature: SIGNATURE } : {}),
    })),
  ];
}

function imagesIn(parts: Body[]): string[] {
  return parts.filter(({ inlineData }) => inlineData).map(({ inlineData }) => inlineData.data);
}

function textOf(parts: Body[]): string {
  return parts
    .filter(({ text, thought }) => text !== undefined && thought !== true)
    .map(({ text }) => text)
    .join('\n');
}
