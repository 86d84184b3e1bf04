import type { IncomingMessage, ServerResponse } from 'node:http';
import { endInHalves, sendJson, serveRecording } from './recording-upstream.ts';
import type { Json } from './server.ts';

/**
 * Anthropic's Messages API as a process of its own, see recording-upstream.ts: it checks requests as
 * the API does and answers in its shapes. The model and the request choose how it behaves.
 */

let requestCount = 0;

async function answer(
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('request-id', `req_${++requestCount}`);
  response.setHeader('anthropic-organization-id', 'org_upstream');
  response.setHeader('anthropic-ratelimit-requests-limit', '50');
  response.setHeader('anthropic-ratelimit-requests-remaining', '49');
  const fault = faultOf(request, body);
  if (fault !== undefined) return sendError(response, ...fault);
  const asked: Json = JSON.parse(body);
  if (request.url === '/v1/messages/count_tokens') {
    return sendJson(response, 200, { input_tokens: 14 });
  }
  await behave(asked, response);
}

type Fault = [status: number, type: string, message: string];

/** What the API finds wrong with a request. */
function faultOf({ url, headers }: IncomingMessage, body: string): Fault | undefined {
  const invalid = (message: string): Fault => [400, 'invalid_request_error', message];
  if (url !== '/v1/messages' && url !== '/v1/messages/count_tokens') {
    return [404, 'not_found_error', 'Not Found'];
  }
  const key = headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', '');
  if (key === undefined) return [401, 'authentication_error', 'x-api-key header is required'];
  if (key === 'sk-ant-wrong') {
    return [401, 'authentication_error', 'invalid x-api-key'];
  }
  const version = String(headers['anthropic-version']);
  if (!['2023-06-01', '2026-10-21'].includes(version)) {
    return invalid('anthropic-version: header is required');
  }
  let asked: Json;
  try {
    asked = JSON.parse(body);
  } catch {
    return invalid('The request body is not valid JSON');
  }
  if (url === '/v1/messages' && typeof asked.max_tokens !== 'number') {
    return invalid('max_tokens: Field required');
  }
  if (asked.temperature !== undefined && version === '2026-10-21') {
    return invalid('temperature: Extra inputs are not permitted');
  }
  if (asked.temperature > 1) return invalid('temperature: range: 0..1');
  const wrong = wrongMessage(asked.messages);
  return wrong === undefined ? undefined : invalid(wrong);
}

function wrongMessage(messages: Json): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return 'messages: at least one message is required';
  }
  let calls = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'user' && role !== 'assistant') {
      return `messages.${index}.role: Unexpected role "${role}"`;
    }
    const blocks: Json[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    for (const block of blocks) {
      const wrong = wrongBlock(block, calls);
      if (wrong !== undefined) return `messages.${index}: ${wrong}`;
    }
    calls = new Set(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id as string));
  }
  return undefined;
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function wrongBlock(block: Json, calls: ReadonlySet<string>): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? 'text content blocks must be non-empty' : undefined;
    case 'image': {
      const { type, media_type: mediaType, data } = block.source;
      if (type === 'url') return undefined;
      if (!IMAGE_TYPES.includes(mediaType)) return `unsupported media type ${mediaType}`;
      const bytes = Buffer.from(data, 'base64');
      return bytes.toString('base64') === data ? undefined : 'Could not process image';
    }
    case 'tool_use':
      return /^[\w-]+$/.test(block.id) ? undefined : `tool_use.id: String should match pattern`;
    case 'tool_result':
      return calls.has(block.tool_use_id)
        ? undefined
        : `unexpected tool_use_id found in tool_result blocks: ${block.tool_use_id}`;
    default:
      return undefined;
  }
}

async function behave(asked: Json, response: ServerResponse): Promise<void> {
  switch (asked.model) {
    case 'claude-overloaded':
      return sendError(response, 529, 'overloaded_error', 'Overloaded');
    case 'claude-rate-limited':
      response.setHeader('retry-after', '7');
      return sendError(response, 429, 'rate_limit_error', 'Number of requests has exceeded');
    case 'claude-missing':
      return sendError(response, 404, 'not_found_error', 'model: claude-missing');
    case 'claude-behind-proxy':
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad Gateway</h1>');
      return;
    default: {
      const message = messageFor(asked);
      if (asked.stream === true) return stream(message, response);
      sendJson(response, 200, message);
    }
  }
}

/** What the model writes: it calls each tool once, and looks at what it was given otherwise. */
function messageFor(asked: Json): Json {
  const last: Json = asked.messages.at(-1).content;
  const blocks: Json[] = typeof last === 'string' ? [] : last;
  const isCalling =
    asked.tools !== undefined &&
    asked.tool_choice?.type !== 'none' &&
    !blocks.some(({ type }) => type === 'tool_result');
  const thinks = ['adaptive', 'enabled'].includes(asked.thinking?.type);
  const refuses = asked.model === 'claude-refuses';
  const calls = isCalling ? asked.tools.map(toolUse) : [];
  return {
    id: 'msg_upstream',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [
      ...(thinks ? [{ type: 'thinking', thinking: 'Hm, 🌍 …', signature: 'c2lnbmVk' }] : []),
      ...(refuses ? [] : [{ type: 'text', text: textFor(asked, blocks), citations: null }]),
      ...calls,
    ],
    stop_reason: refuses ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: refuses ? { type: 'refusal', category: 'bio', explanation: 'Not that.' } : null,
    container: null,
    diagnostics: null,
    usage: usageFor(asked, thinks),
  };
}

function toolUse({ name }: Json, index: number): Json {
  const input = name === 'now' ? {} : { city: index === 0 ? 'Wien' : 'Graz', days: index + 1 };
  return { type: 'tool_use', id: `toolu_${index}`, caller: { type: 'direct' }, name, input };
}

function textFor(asked: Json, blocks: Json[]): string {
  if (asked.output_config?.format !== undefined) return '{"city":"Wien","population":2028000}';
  const image = blocks.find(({ type }) => type === 'image');
  if (image?.source.type === 'url') return `The image at ${image.source.url}.`;
  if (image !== undefined) {
    const { media_type: mediaType, data } = image.source;
    return `An ${mediaType} of ${Buffer.from(data, 'base64').length} bytes.`;
  }
  const result = blocks.find(({ type }) => type === 'tool_result');
  if (result !== undefined) return `The tool said ${JSON.stringify(result.content)}.`;
  return 'Grüße 🌍';
}

function usageFor(asked: Json, thinks: boolean): Json {
  const isCached = JSON.stringify(asked).includes('"cache_control"');
  return {
    input_tokens: 11,
    cache_creation_input_tokens: isCached ? 20 : 0,
    cache_read_input_tokens: isCached ? 100 : 0,
    cache_creation: { ephemeral_5m_input_tokens: isCached ? 20 : 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 7,
    output_tokens_details: thinks ? { thinking_tokens: 3 } : null,
    inference_geo: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  const requestId = String(response.getHeader('request-id'));
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: requestId });
}

async function stream(message: Json, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const bytes = Buffer.from([...events(message)].join(''));
  if (message.model === 'claude-streams') return endInHalves(response, bytes);
  if (message.model === 'claude-ends-early') {
    response.end(bytes.subarray(0, bytes.indexOf('event: message_delta')));
    return;
  }
  if (message.model === 'claude-fails') {
    response.write(bytes.subarray(0, bytes.indexOf('event: content_block_stop')));
    response.end(frame('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }));
    return;
  }
  response.end(bytes);
}

function* events(message: Json): Generator<string> {
  const { content, usage, stop_reason: stopReason, stop_details: stopDetails } = message;
  const start = { ...message, content: [], stop_reason: null, stop_details: null };
  yield frame('message_start', { message: { ...start, usage: { ...usage, output_tokens: 1 } } });
  for (const [index, block] of content.entries()) {
    const { empty, deltas } = pieces(block);
    yield frame('content_block_start', { index, content_block: empty });
    if (index === 0) yield frame('ping', {});
    for (const delta of deltas) yield frame('content_block_delta', { index, delta });
    yield frame('content_block_stop', { index });
  }
  yield frame('message_delta', {
    delta: {
      stop_reason: stopReason,
      stop_sequence: null,
      stop_details: stopDetails,
      container: null,
    },
    usage: {
      input_tokens: usage.input_tokens,
      cache_creation_input_tokens: usage.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens,
      output_tokens: usage.output_tokens,
      output_tokens_details: usage.output_tokens_details,
    },
  });
  yield frame('message_stop', {});
}

function pieces(block: Json): { empty: Json; deltas: Json[] } {
  switch (block.type) {
    case 'thinking':
      return {
        empty: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use': {
      const json = JSON.stringify(block.input);
      const halves = json === '{}' ? [''] : ['', json.slice(0, 6), json.slice(6)];
      return {
        empty: { ...block, input: {} },
        deltas: halves.map((half) => ({ type: 'input_json_delta', partial_json: half })),
      };
    }
    default:
      return {
        empty: { ...block, text: '' },
        deltas: [block.text.slice(0, 3), block.text.slice(3)].map((text) => ({
          type: 'text_delta',
          text,
        })),
      };
  }
}

function frame(event: string, fields: object): string {
  return `event: ${event}\ndata: ${JSON.stringify({ type: event, ...fields })}\n\n`;
}

serveRecording(answer);
