import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordedRequest } from './upstream-process.ts';

const recorded: RecordedRequest[] = [];
let releases: (() => void)[] = [];

type Answer = (
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
) => Promise<void> | void;

/**
 * Makes this process a provider for upstream-process.ts: `GET /recorded` tells what it was sent,
 * `POST /release` lets streams go on, and everything else is answered in the provider's own way.
 */
export function serveRecording(answer: Answer): void {
  const server = createServer((request, response) => void serve(request, response, answer));
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { method = '', url = '', rawHeaders } = request;
  if (url === '/recorded') return sendJson(response, 200, recorded);
  if (url === '/release') {
    for (const release of releases) release();
    releases = [];
    return sendJson(response, 200, {});
  }
  const record = { method, url, headers: rawHeaders, body, aborted: false };
  recorded.push(record);
  response.on('close', () => {
    record.aborted = !response.writableFinished;
  });
  await answer(request, body, response);
}

/** Waits until the test lets streams go on. */
export function untilReleased(): Promise<void> {
  return new Promise<void>((resolve) => {
    releases.push(resolve);
  });
}

/** Ends an answer whose first half, to the middle of the globe 🌍, waits for nobody; the second for a release. */
export async function endInHalves(response: ServerResponse, bytes: Buffer): Promise<void> {
  const split = bytes.indexOf(Buffer.from('🌍')) + 2;
  response.write(bytes.subarray(0, split));
  await untilReleased();
  response.end(bytes.subarray(split));
}

/** Answers with JSON of a known length. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
