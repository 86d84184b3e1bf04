import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { serveRecording } from './recording-upstream.ts';
import type { Json } from './server.ts';

/**
 * Google's Gemini API, what of Vertex AI the tests need, and the token endpoint of service accounts,
 * as a process of its own, see recording-upstream.ts. Answers have the shapes, the status codes and the
 * framing of the real ones.
 */

let tokens = 0;

async function answer(
  { url = '', headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  if (url === '/token') return exchange(response, body);
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname === '/v1beta/openai/embeddings') return embed(response, headers.authorization);
  if (/^\/v1\/projects\/[^/]+\/locations\/[^/]+\//.test(pathname)) {
    return answerVertex(response, pathname, headers.authorization);
  }
  const keys = [headers['x-goog-api-key'], searchParams.get('key'), headers.authorization];
  const brought = keys.filter((key) => typeof key === 'string').length;
  if (brought === 0) {
    const message = "Method doesn't allow unregistered callers. Please use API Key.";
    return sendError(response, 403, 'PERMISSION_DENIED', message);
  }
  if (brought > 1) {
    const message = 'Multiple authentication credentials received. Please pass only one.';
    return sendError(response, 400, 'INVALID_ARGUMENT', message);
  }
  const [, model, verb] = /^\/v1(?:beta)?\/models\/([^/:]+):(\w+)$/.exec(pathname) ?? [];
  if (model === undefined) return sendJson(response, 200, { models: [] });
  const isStream = verb === 'streamGenerateContent' && searchParams.get('alt') === 'sse';
  await generate(response, decodeURIComponent(model), JSON.parse(body), isStream);
}

const usageMetadata = {
  promptTokenCount: 8,
  candidatesTokenCount: 5,
  totalTokenCount: 20,
  cachedContentTokenCount: 3,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
  thoughtsTokenCount: 7,
};

async function generate(
  response: ServerResponse,
  model: string,
  body: Json,
  isStream: boolean,
): Promise<void> {
  if (model === 'rate-limited') {
    const message = 'You exceeded your current quota.';
    return sendError(response, 429, 'RESOURCE_EXHAUSTED', message);
  }
  const meta = { modelVersion: model, responseId: 'mAb1Zu_0Nqa' };
  if (model === 'blocked') {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' };
    const { promptTokenCount } = usageMetadata;
    return sendJson(response, 200, {
      promptFeedback,
      usageMetadata: { promptTokenCount, totalTokenCount: promptTokenCount },
      ...meta,
    });
  }
  if (!model.startsWith('gemini-') && model !== 'overloaded-later') {
    const message = `models/${model} is not found for API version v1beta.`;
    return sendError(response, 404, 'NOT_FOUND', message);
  }
  const parts = say(model, body);
  if (typeof parts === 'string') return sendError(response, 400, 'INVALID_ARGUMENT', parts);
  const candidate = (some: Json[], fields: object = {}): object => ({
    candidates: [{ content: { parts: some, role: 'model' }, ...fields, index: 0 }],
    usageMetadata,
    ...meta,
  });
  if (!isStream) return sendJson(response, 200, candidate(parts, { finishReason: 'STOP' }));
  const overloaded = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
  const pieces =
    model === 'overloaded-later'
      ? [candidate(parts), { error: overloaded }]
      : [...parts.map((part) => candidate([part])), candidate([], { finishReason: 'STOP' })];
  await sendStream(response, pieces);
}

/** The parts of an answer to what was said last; a text for what the API refuses. */
function say(model: string, { contents, generationConfig, tools }: Json): Json[] | string {
  const [last] = contents.at(-1).parts.slice(-1);
  const signature = model.startsWith('gemini-3') ? { thoughtSignature: 'c2lnbmF0dXJl' } : {};
  if (last.functionResponse !== undefined) {
    const [call] = contents.at(-2).parts.filter(({ functionCall }: Json) => functionCall);
    if (!isSignedAs(call, signature.thoughtSignature)) {
      return 'Function call is missing a thought_signature in functionCall parts.';
    }
    return [{ text: `${call.functionCall.args.city}: ${last.functionResponse.response.celsius}` }];
  }
  if (tools !== undefined) {
    const [{ name }] = tools[0].functionDeclarations;
    return [
      { functionCall: { name, args: { city: 'Köln' } }, ...signature },
      { functionCall: { name, args: { city: 'Paris' } } },
    ];
  }
  if (generationConfig?.responseJsonSchema !== undefined) return [{ text: '{"answer":42}' }];
  if (last.inlineData !== undefined) return [{ text: `I see ${last.inlineData.mimeType}` }];
  const thoughts = generationConfig?.thinkingConfig?.includeThoughts === true;
  return [
    ...(thoughts ? [{ text: 'They greet me.', thought: true }] : []),
    { text: 'Grüße ' },
    { text: '🌍' },
  ];
}

/** The documented text is as good as the signature itself. */
function isSignedAs({ thoughtSignature }: Json, expected: string | undefined): boolean {
  return (
    thoughtSignature === expected ||
    (expected !== undefined && thoughtSignature === 'skip_thought_signature_validator')
  );
}

/** With the line ends that Google sends, and characters that are split over two writes. */
async function sendStream(response: ServerResponse, pieces: object[]): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'content-disposition': 'attachment',
    vary: 'Origin, X-Origin, Referer',
  });
  for (const piece of pieces) {
    const bytes = Buffer.from(`data: ${JSON.stringify(piece)}\r\n\r\n`);
    const globe = bytes.indexOf(Buffer.from('🌍'));
    const split = globe < 0 ? 10 : globe + 2;
    response.write(bytes.subarray(0, split));
    await nextTurn();
    response.write(bytes.subarray(split));
  }
  response.end();
}

/** The compatible API knows keys only as the OpenAI API does. */
function embed(response: ServerResponse, authorization: string | undefined): void {
  if (authorization === undefined) {
    const message = 'Missing or invalid Authorization header.';
    return sendJson(response, 400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]);
  }
  sendJson(response, 200, {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.5] }],
    model: 'gemini-embedding-001',
    usage: { prompt_tokens: 2, total_tokens: 2 },
  });
}

function answerVertex(
  response: ServerResponse,
  pathname: string,
  authorization: string | undefined,
): void {
  if (authorization?.startsWith('Bearer ya29.') !== true) {
    const message = 'Request had invalid authentication credentials.';
    return sendError(response, 401, 'UNAUTHENTICATED', message);
  }
  if (pathname.endsWith('/endpoints/openapi/chat/completions')) {
    const message = { role: 'assistant', content: 'Grüße 🌍' };
    return sendJson(response, 200, {
      id: '2026-11-20|10:00:00.0-07|1.2.3.4|1',
      object: 'chat.completion',
      created: 1,
      model: 'google/gemini-2.5-flash',
      choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
      usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
    });
  }
  const content = { parts: [{ text: 'Grüße 🌍' }], role: 'model' };
  sendJson(response, 200, { candidates: [{ content, finishReason: 'STOP' }], usageMetadata });
}

/** The account decides what becomes of its key. */
function exchange(response: ServerResponse, body: string): void {
  const [, claims = ''] = (new URLSearchParams(body).get('assertion') ?? '').split('.');
  const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string };
  const [name = ''] = iss.split('@');
  switch (name) {
    case 'refused':
      return sendJson(response, 400, {
        error: 'invalid_grant',
        error_description: 'Invalid JWT Signature.',
      });
    case 'endless':
      return sendJson(response, 200, { access_token: 'x'.repeat(100_000) });
    case 'empty':
      return sendJson(response, 200, {});
    case 'split':
      return sendJson(response, 200, { access_token: 'a\r\nb', expires_in: 3_599 });
    default:
      return sendJson(response, 200, {
        access_token: `ya29.${++tokens}`,
        expires_in: 3_599,
        token_type: 'Bearer',
      });
  }
}

function sendError(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, { error: { code, message, status } });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    vary: 'Origin, X-Origin, Referer',
  });
  response.end(JSON.stringify(value, null, 2));
}

serveRecording(answer);
