import type { ServerResponse } from 'node:http';
import { sendJson, serveRecording, untilReleased } from './recording-upstream.ts';

/**
 * An OpenAI-compatible provider as a process of its own, see recording-upstream.ts. The model chooses
 * how it behaves.
 */

function modelOf(body: string): string {
  try {
    return String((JSON.parse(body) as { model?: unknown }).model);
  } catch {
    return 'plain';
  }
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

async function behave(model: string, response: ServerResponse): Promise<void> {
  switch (model) {
    case 'rate-limited':
      response.setHeader('retry-after', '7');
      return sendJson(response, 429, { error: { message: 'slow down', type: 'requests' } });
    case 'never-answers':
      return;
    case 'hangs-up':
      response.destroy();
      return;
    case 'breaks-off-json':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
      return;
    case 'streams':
    case 'breaks-off':
    case 'breaks-off-in-event':
    case 'breaks-off-with-length':
    case 'goes-silent':
      return stream(model, response);
    case 'calls':
      return sendJson(response, 200, { ...COMPLETION, choices: [CALLS] });
    case 'streams-calls':
      return streamCalls(response);
    case 'endless':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return endless(response);
    case 'double-header':
      response.writeHead(200, [
        ['content-type', 'application/json'],
        ['content-type', 'application/json'],
      ]);
      response.end(JSON.stringify(COMPLETION));
      return;
    case 'strange-headers':
      response.setHeader('set-cookie', 'session=upstream');
      response.setHeader('connection', 'x-private');
      response.setHeader('x-private', 'for the next hop only');
      response.setHeader('strict-transport-security', 'max-age=1');
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cf-aig-log-id', 'forged');
      response.setHeader('x-ratelimit-remaining', '5');
      response.setHeader('x-request-id', 'req_upstream');
      return sendCompletion(response);
    default:
      return sendCompletion(response);
  }
}

const COMPLETION = {
  id: 'chatcmpl-upstream',
  object: 'chat.completion',
  created: 1,
  model: 'upstream',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Grüße 🌍' }, finish_reason: 'stop' },
  ],
  usage: USAGE,
};

const CALLS = {
  index: 0,
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [call(0, 'weather', '{"city":"Wien"}'), call(1, 'now', '')],
  },
  finish_reason: 'tool_calls',
};

function call(index: number, name: string, json: string): object {
  return { id: `call_${index}`, type: 'function', function: { name, arguments: json } };
}

/** As OpenAI does: the name first, the arguments in pieces, one call after the other. */
function streamCalls(response: ServerResponse): void {
  const deltas = [
    { role: 'assistant', content: null },
    { tool_calls: [{ index: 0, ...call(0, 'weather', '') }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"city"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ':"Wien"}' } }] },
    { tool_calls: [{ index: 1, ...call(1, 'now', '{}') }] },
  ];
  const choices = [
    ...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })),
    { index: 0, delta: {}, finish_reason: 'tool_calls' },
  ];
  const events = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${events.join('')}data: [DONE]\n\n`);
}

function sendCompletion(response: ServerResponse): void {
  sendJson(response, 200, COMPLETION);
}

/** As much as the other side takes. */
function endless(response: ServerResponse): void {
  const chunk = `data: ${'x'.repeat(64 * 1024)}\n\n`;
  const fill = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', fill);
  fill();
}

/** Two pieces that split an event and a character in the middle; the second waits for a release. */
async function stream(model: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    ...(model === 'breaks-off-with-length' ? { 'content-length': '100000' } : {}),
  });
  const event = (fields: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-upstream', object: 'chat.completion.chunk', created: 1, model: 'upstream', ...fields })}\n\n`;
  const delta = (content: string): object => ({
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  });
  const bytes = Buffer.from(
    event(delta('eins ')) +
      event(delta('zwei 🌍')) +
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
      event({ choices: [], usage: USAGE }) +
      'data: [DONE]\n\n',
  );
  // Behind the first event, or in the middle of the globe's four bytes.
  const split =
    model === 'breaks-off' ? bytes.indexOf('\n\n') + 2 : bytes.indexOf(Buffer.from('🌍')) + 2;
  response.write(bytes.subarray(0, split));
  await untilReleased();
  if (model.startsWith('breaks-off')) {
    response.destroy();
    return;
  }
  response.end(bytes.subarray(split));
}

serveRecording((_request, body, response) => behave(modelOf(body), response));
