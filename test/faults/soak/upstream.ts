import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A provider as a process of its own that remembers nothing, so that it can serve for hours. The first word of
 * the last message says how it answers. It prints its port, and ends with its parent.
 */
const EVENTS = 20;
const GAP_MS = 15;
const LARGE_CHARACTERS = 256 * 1024;
const USAGE = { prompt_tokens: 11, completion_tokens: 20, total_tokens: 31 };

interface Asked {
  model?: string;
  stream?: boolean;
  messages?: { content?: string }[];
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { model, stream, messages } = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
  const [word] = (messages?.at(-1)?.content ?? '').split(' ');
  if (word === 'fail') {
    sendJson(response, 500, { error: { message: 'out of order', type: 'server_error' } });
  } else if (stream === true) {
    await sendEvents(response, model);
  } else {
    const content = 'Lorem ipsum. '.repeat(20);
    sendJson(response, 200, {
      id: 'chatcmpl-soak',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: word === 'large' ? content.padEnd(LARGE_CHARACTERS, content) : content,
          },
          finish_reason: 'stop',
        },
      ],
      usage: USAGE,
    });
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', 'content-length': text.length };
  response.writeHead(status, headers).end(text);
}

async function sendEvents(response: ServerResponse, model = ''): Promise<void> {
  const send = (fields: object): void => {
    const chunk = { id: 'chatcmpl-soak', object: 'chat.completion.chunk', created: 1, model };
    response.write(`data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let count = 0; count < EVENTS && !response.destroyed; count++) {
    const delta = { role: 'assistant', content: `word ${count} ` };
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
    await delay(GAP_MS);
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: USAGE });
  response.end('data: [DONE]\n\n');
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
