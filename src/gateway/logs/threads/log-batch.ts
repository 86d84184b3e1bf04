import { hash } from 'node:crypto';
import { CONTEXT_COLUMNS, OWN_COLUMNS } from '../log-columns.ts';
import type { LogContext, LogLimit, LogRecord, LogRow } from '../log-row.ts';

// The columns that are sent of each row, one after the other.
const SENT_COLUMNS = ['id', 'created_at', ...OWN_COLUMNS] as const;

type Value = string | number | null;

/** A batch on its way from thread to thread: to copy its rows as objects takes ten times as long. */
export interface EncodedBatch {
  /** The same when a batch is sent again. */
  number: number;
  /** It was sent before, and nobody knows what became of it. */
  isAgain: boolean;
  /** JSON: what rows have in common once, and their own values by their places. */
  text: string;
  /** All bodies, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** A context of a batch: what some of its rows have in common. */
export interface BatchContext {
  id: number;
  columns: LogContext;
}

export interface BatchPayload {
  request: Uint8Array;
  response: Uint8Array;
  requestSize: number;
  responseSize: number;
  requestHeaders: string;
  responseHeaders: string;
}

export interface BatchRecord {
  row: LogRow;
  context: BatchContext;
  payload: BatchPayload | undefined;
}

/** The records of one gateway in a batch. */
export interface BatchGateway {
  accountId: string;
  gatewayId: string;
  limit: LogLimit | null;
  records: BatchRecord[];
}

export interface LogBatch {
  number: number;
  isAgain: boolean;
  /** By account and id, the order in which everybody locks them. */
  gateways: BatchGateway[];
}

type SentLimit = [number, LogLimit['strategy']] | null;
type SentPayload = [number, number, number, number, string, string];
type SentGateway = [accountId: string, gatewayId: string, limit: SentLimit];
/** Which gateway, when it was made, and the columns. */
type SentContext = [number, number, ...Value[]];
interface SentBatch {
  gateways: SentGateway[];
  contexts: SentContext[];
  /** Which context, the columns, and the lengths, sizes and headers of the bodies. */
  rows: [number, ...Value[], SentPayload | null][];
}

/** Bytes of the bodies that come with a record. */
export function bodyBytes({ payload }: LogRecord): number {
  if (payload === null) return 0;
  return payload.response.reduce((sum, { length }) => sum + length, payload.request.length);
}

/** Makes a batch ready to be sent to another thread. */
export function encodeBatch(
  number: number,
  records: readonly LogRecord[],
  isAgain = false,
): EncodedBatch {
  const gateways = new Map<string, { index: number; sent: SentGateway }>();
  const contexts = new Map<string, { index: number; sent: SentContext }>();
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + bodyBytes(record), 0));
  let offset = 0;
  const rows = records.map(({ row, payload, limit }) => {
    const gatewayKey = `${row.account_id} ${row.gateway_id}`;
    let gateway = gateways.get(gatewayKey);
    if (gateway === undefined) {
      gateway = { index: gateways.size, sent: [row.account_id, row.gateway_id, null] };
      gateways.set(gatewayKey, gateway);
    }
    // The latest is what the gateway says now.
    gateway.sent[2] = limit && [limit.maxRows, limit.strategy];
    const contextKey = keyOf(gateway.index, row);
    let context = contexts.get(contextKey);
    if (context === undefined) {
      const values = CONTEXT_COLUMNS.map((column) => row[column]);
      const sent: SentContext = [gateway.index, row.gateway_created_at, ...values];
      context = { index: contexts.size, sent };
      contexts.set(contextKey, context);
    }
    const own = SENT_COLUMNS.map((column) => row[column]);
    if (payload === null) return [context.index, ...own, null];
    const begin = offset;
    for (const part of [payload.request, ...payload.response]) {
      bytes.set(part, offset);
      offset += part.length;
    }
    const { requestSize, responseSize, requestHeaders, responseHeaders } = payload;
    const lengths = [payload.request.length, offset - begin - payload.request.length];
    const sizes = [...lengths, requestSize, responseSize];
    return [context.index, ...own, [...sizes, requestHeaders, responseHeaders]];
  });
  const text = JSON.stringify({
    gateways: [...gateways.values()].map(({ sent }) => sent),
    contexts: [...contexts.values()].map(({ sent }) => sent),
    rows,
  });
  return { number, isAgain, text, bytes };
}

// A header field cannot hold it, and neither can an id.
const UNKNOWN = '\u0001';

/** Sets contexts apart, which takes less time than to make JSON of each. No text has a NUL. */
function keyOf(gateway: number, row: LogRow): string {
  return `${gateway} ${row.gateway_created_at} ${row.status_code} ${row.success} ${row.cached} ${row.step} ${row.attempts} ${row.custom_cost} ${row.provider}\0${row.model}\0${row.model_type ?? UNKNOWN}\0${row.path}\0${row.request_type}\0${row.request_content_type ?? UNKNOWN}\0${row.response_content_type ?? UNKNOWN}\0${row.token_id ?? UNKNOWN}\0${row.user_id ?? UNKNOWN}\0${row.oauth_client_id ?? UNKNOWN}`;
}

/** What {@link encodeBatch} was given. */
export function decodeBatch({ number, isAgain, text, bytes }: EncodedBatch): LogBatch {
  const sent = JSON.parse(text) as SentBatch;
  const gateways = sent.gateways.map(([accountId, gatewayId, limit]): BatchGateway => {
    const known = limit && { maxRows: limit[0], strategy: limit[1] };
    return { accountId, gatewayId, limit: known, records: [] };
  });
  const contexts = sent.contexts.map(([gateway, createdAt, ...values]) => ({
    gateway: gateways[gateway] as BatchGateway,
    createdAt,
    context: toContext(values),
  }));
  let offset = 0;
  const take = (length: number): Uint8Array => bytes.subarray(offset, (offset += length));
  for (const [index, ...values] of sent.rows) {
    const { gateway, createdAt, context } = contexts[index] as (typeof contexts)[number];
    const payload = values.pop() as SentPayload | null;
    gateway.records.push({
      row: {
        ...context.columns,
        ...(byName(SENT_COLUMNS, values as Value[]) as Pick<LogRow, (typeof SENT_COLUMNS)[number]>),
        account_id: gateway.accountId,
        gateway_id: gateway.gatewayId,
        gateway_created_at: createdAt,
      },
      context,
      payload: payload === null ? undefined : readPayload(payload, take),
    });
  }
  const nameOf = ({ accountId, gatewayId }: BatchGateway): string => `${accountId} ${gatewayId}`;
  gateways.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { number, isAgain, gateways };
}

function readPayload(
  [request, response, requestSize, responseSize, requestHeaders, responseHeaders]: SentPayload,
  take: (length: number) => Uint8Array,
): BatchPayload {
  return {
    request: take(request),
    response: take(response),
    requestSize,
    responseSize,
    requestHeaders,
    responseHeaders,
  };
}

const CONTEXT_ID_BITS = 53n;

function toContext(values: Value[]): BatchContext {
  const digest = hash('sha256', JSON.stringify(values), 'buffer');
  return {
    id: Number(digest.readBigUInt64BE() >> (64n - CONTEXT_ID_BITS)),
    columns: byName(CONTEXT_COLUMNS, values) as unknown as LogContext,
  };
}

function byName(names: readonly string[], values: readonly Value[]): Record<string, Value> {
  const object: Record<string, Value> = {};
  for (const [index, name] of names.entries()) object[name] = values[index] ?? null;
  return object;
}
