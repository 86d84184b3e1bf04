import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A model provider whose answers take turns: what is right in the APIs of several providers, refusals,
 * and what no provider should send. All bear a mark, so that a test knows whose answer it got.
 */
const MARK = { 'x-inference-id': '1' };

const USAGE = {
  prompt_tokens: 3,
  completion_tokens: 2,
  total_tokens: 5,
  input_tokens: 3,
  output_tokens: 2,
};
const COMPLETION = {
  id: 'a',
  object: 'chat.completion',
  type: 'message',
  role: 'assistant',
  model: 'odd',
  content: [{ type: 'text', text: 'odd' }],
  choices: [{ index: 0, message: { role: 'assistant', content: 'odd' }, finish_reason: 'stop' }],
  candidates: [{ content: { role: 'model', parts: [{ text: 'odd' }] }, finishReason: 'STOP' }],
  usage: USAGE,
};
const CHUNK = { id: 'a', choices: [{ index: 0, delta: { content: 'odd' }, finish_reason: null }] };

type Answer = (response: ServerResponse) => void;

function sends(
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: object = {},
): Answer {
  return (response) => {
    response.writeHead(status, { ...MARK, 'content-type': contentType, ...headers });
    response.end(body);
  };
}

const JSON_TYPE = 'application/json';
const right = sends(200, JSON_TYPE, JSON.stringify(COMPLETION));
const streams = sends(
  200,
  'text/event-stream',
  `data: ${JSON.stringify(CHUNK)}\n\ndata: ${JSON.stringify({ ...CHUNK, usage: USAGE })}\n\ndata: [DONE]\n\n`,
);

const ANSWERS: readonly Answer[] = [
  right,
  streams,
  right,
  sends(400, JSON_TYPE, '{"error":{"message":"no","type":"invalid_request_error"}}'),
  streams,
  sends(429, JSON_TYPE, '{"error":{"message":"slow down"}}', { 'retry-after': '0' }),
  right,
  sends(200, JSON_TYPE, '{"choices":'),
  sends(200, JSON_TYPE, '[]'),
  sends(200, JSON_TYPE, 'null'),
  sends(
    200,
    JSON_TYPE,
    '{"choices":[null],"usage":{"prompt_tokens":1e999,"completion_tokens":-5}}',
  ),
  sends(
    200,
    'text/event-stream',
    'data: {"choices":[nul\n\nevent: x\ndata: []\n\ndata: 5\n\n: \n\n',
  ),
  sends(200, 'text/html', '<html>'),
  sends(200, JSON_TYPE, ''),
  sends(200, JSON_TYPE, Buffer.from('ff'.repeat(40), 'hex')),
  sends(200, JSON_TYPE, 'not compressed', { 'content-encoding': 'gzip' }),
  sends(503, 'text/plain', 'no'),
  sends(302, 'text/plain', '', { location: 'http://127.0.0.1:1/' }),
  sends(204, JSON_TYPE, ''),
  (response) => response.destroy(),
  (response) => {
    response.writeHead(200, { ...MARK, 'content-type': JSON_TYPE, 'content-length': '1000' });
    response.write('{"id":');
    setImmediate(() => response.destroy());
  },
];

let turn = 0;
const server = createServer((request, response) => {
  request.on('error', () => {});
  request.resume().on('end', () => ANSWERS[turn++ % ANSWERS.length]?.(response));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
