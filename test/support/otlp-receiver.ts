import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.ts';

export type AttributeValue = string | number | boolean;

/** A span as it arrived. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  flags: number;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, AttributeValue>;
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  resource: Record<string, AttributeValue>;
}

export interface ReceivedExport {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  spans: ReceivedSpan[];
  /** When it came. */
  atMs: number;
}

/** What a receiver answers, instead of 200 with an empty object. */
export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Takes traces by OTLP over HTTP in JSON, and is strict about their form. */
export interface OtlpReceiver {
  origin: string;
  exports: ReceivedExport[];
  /** Says what the next requests are answered, one after the other; then 200 again. */
  answer(...answers: ReceiverAnswer[]): void;
  /** Answers nothing until {@link OtlpReceiver.release}. */
  hold(): void;
  release(): void;
  /** Every span that was taken, in the order in which they came. */
  taken(): ReceivedSpan[];
  /** Waits until so many spans of a gateway were taken, and answers them. */
  spansOf(gatewayId: string, count: number): Promise<ReceivedSpan[]>;
  /** Ends it, with its connections; it may be started again on its port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a receiver. What it is sent in any other form than it must be fails the process of the test. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const exports: ReceivedExport[] = [];
  const taken: ReceivedSpan[] = [];
  const answers: ReceiverAnswer[] = [];
  let held: (() => void)[] | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      assert.equal(method, 'POST');
      assert.equal(headers['content-type'], 'application/json');
      const spans = readExport(body);
      exports.push({ method, url, headers, body, spans, atMs: Date.now() });
      const given = answers.shift() ?? { status: 200, body: '{}' };
      const reply = (): void => {
        if (given.status === 200) taken.push(...spans);
        send(response, given);
      };
      if (held === undefined) reply();
      else held.push(reply);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    exports,
    answer: (...given) => void answers.push(...given),
    hold() {
      held = [];
    },
    release() {
      for (const reply of held ?? []) reply();
      held = undefined;
    },
    taken: () => taken,
    async spansOf(gatewayId, count) {
      const found = (): ReceivedSpan[] =>
        taken.filter((span) => span.attributes['latchkey.gateway.id'] === gatewayId);
      await eventually(`${count} spans of ${gatewayId}`, async () => found().length >= count);
      assert.equal(found().length, count);
      return found();
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async start() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: ReceiverAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

type Fields = Record<string, unknown>;

/** An ExportTraceServiceRequest (opentelemetry/proto/collector/trace/v1). */
function readExport(text: string): ReceivedSpan[] {
  const { resourceSpans } = fields(JSON.parse(text), ['resourceSpans']);
  return list(resourceSpans).flatMap((one) => {
    const { resource, scopeSpans } = fields(one, ['resource', 'scopeSpans', 'schemaUrl']);
    const { attributes } = fields(resource, ['attributes', 'droppedAttributesCount']);
    return list(scopeSpans).flatMap((group) => {
      const { scope, spans } = fields(group, ['scope', 'spans', 'schemaUrl']);
      assert.match(textOf(fields(scope, ['name', 'version']).name), /./);
      return list(spans).map((span) => readSpan(span, readAttributes(attributes)));
    });
  });
}

const SPAN_FIELDS = [
  'traceId',
  'spanId',
  'traceState',
  'parentSpanId',
  'flags',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'events',
  'links',
  'status',
];

function readSpan(value: unknown, resource: ReceivedSpan['resource']): ReceivedSpan {
  const span = fields(value, SPAN_FIELDS);
  const { parentSpanId, flags, kind } = span;
  const { code = 0 } = fields(span.status, ['message', 'code']);
  assert.ok(
    Number.isInteger(flags) && Number.isInteger(kind) && [0, 1, 2].includes(code as number),
  );
  const startMs = milliseconds(span.startTimeUnixNano);
  const endMs = milliseconds(span.endTimeUnixNano);
  assert.ok(startMs <= endMs, `${startMs} is after ${endMs}`);
  return {
    traceId: hex(span.traceId, 32),
    spanId: hex(span.spanId, 16),
    parentSpanId: parentSpanId === undefined ? undefined : hex(parentSpanId, 16),
    flags: flags as number,
    name: textOf(span.name),
    kind: kind as number,
    startMs,
    endMs,
    attributes: readAttributes(span.attributes),
    status: code as number,
    resource,
  };
}

function readAttributes(value: unknown): Record<string, AttributeValue> {
  const entries = list(value).map((one): [string, AttributeValue] => {
    const { key, value: wrapped } = fields(one, ['key', 'value']);
    const known = fields(wrapped, ['stringValue', 'intValue', 'doubleValue', 'boolValue']);
    const [kind, ...others] = Object.keys(known);
    assert.ok(kind !== undefined && others.length === 0, `${textOf(key)} has not one value`);
    return [textOf(key), attributeOf(kind, known[kind])];
  });
  const attributes = Object.fromEntries(entries);
  assert.equal(Object.keys(attributes).length, entries.length, 'a key is there twice');
  return attributes;
}

function attributeOf(kind: string, value: unknown): AttributeValue {
  switch (kind) {
    case 'intValue':
      // Proto3 JSON: 64 bits are a decimal text.
      assert.match(textOf(value), /^-?\d+$/);
      return Number(value);
    case 'doubleValue':
      assert.ok(typeof value === 'number' && Number.isFinite(value));
      return value;
    case 'boolValue':
      assert.ok(typeof value === 'boolean');
      return value;
    default:
      return textOf(value);
  }
}

function fields(value: unknown, known: readonly string[]): Fields {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value));
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  assert.deepEqual(unknown, [], 'fields that OTLP does not have');
  return value as Fields;
}

function list(value: unknown): unknown[] {
  assert.ok(Array.isArray(value));
  return value;
}

function textOf(value: unknown): string {
  assert.ok(typeof value === 'string');
  return value;
}

function hex(value: unknown, length: number): string {
  const digits = textOf(value);
  assert.match(digits, new RegExp(`^[0-9a-f]{${length}}$`));
  assert.doesNotMatch(digits, /^0+$/);
  return digits;
}

function milliseconds(value: unknown): number {
  const digits = textOf(value);
  assert.match(digits, /^\d{19}$/);
  return Number(BigInt(digits) / 1_000_000n);
}
