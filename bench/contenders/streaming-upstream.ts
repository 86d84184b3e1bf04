import { type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { stampedEvent } from '../stamps.ts';

/**
 * A provider that streams `CHUNKS` chunks, one each `GAP_MS`, to whoever posts anything. The streams are
 * spread over the gap, and chunks bypass node:http, so that this process is not what is measured.
 */
interface Stream {
  response: ServerResponse;
  socket: Socket;
  chunksLeft: number;
}

const { PORT, CHUNKS, GAP_MS } = process.env;
const chunks = Number(CHUNKS);
const BACKLOG = 4_096;
const LAST_EVENTS = [
  'data: {"id":"chatcmpl-stream","object":"chat.completion.chunk","created":1,"model":"static","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
  `data: {"id":"chatcmpl-stream","object":"chat.completion.chunk","created":1,"model":"static","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":${chunks},"total_tokens":${20 + chunks}}}\n\n`,
  'data: [DONE]\n\n',
].join('');

/** A slot for each millisecond of the gap: the streams that get their next chunk then. */
const slots = Array.from({ length: Number(GAP_MS) }, () => new Set<Stream>());
const beganAtMs = performance.now();
let tick = 0;

function slotOf(someTick: number): Set<Stream> {
  return slots[someTick % slots.length] ?? new Set();
}

/** One chunk of the stream, framed as chunked transfer coding wants it. */
function sendChunk(stream: Stream): void {
  const event = stampedEvent();
  stream.socket.write(`${event.length.toString(16)}\r\n${event}\r\n`, 'latin1');
  stream.chunksLeft--;
}

function advance(): void {
  const now = Math.floor(performance.now() - beganAtMs);
  // Whoever is a whole gap behind stays behind, and still gets to read what comes in.
  tick = Math.max(tick, now - slots.length + 1);
  for (; tick <= now; tick++) {
    const slot = slotOf(tick);
    for (const stream of slot) {
      if (stream.chunksLeft > 0) {
        sendChunk(stream);
        continue;
      }
      slot.delete(stream);
      stream.response.end(LAST_EVENTS);
    }
  }
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  const { socket } = response;
  if (request.method !== 'POST' || socket === null) {
    response.end('POST something');
    return;
  }
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    socket.setNoDelay(true);
    const stream = { response, socket, chunksLeft: chunks };
    sendChunk(stream);
    // The slot that was served last, which comes round after a whole gap.
    const slot = slotOf(tick - 1 + slots.length);
    slot.add(stream);
    response.once('close', () => slot.delete(stream));
  });
});
setInterval(advance, 1);
server.listen({ port: Number(PORT), host: '127.0.0.1', backlog: BACKLOG });
