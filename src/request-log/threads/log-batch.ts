import { hash } from 'node:crypto';
import { CONTEXT_COLUMNS } from '../columns.ts';
import type { LogContext, LogLimit, LogRecord, LogRow } from '../record.ts';

type Value = string | number | null;

/** The values of each row. Written out, because a loop over names takes ten times as long. */
type SentRow = [
  id: string,
  createdAt: number,
  durationMs: number,
  ttftMs: number | null,
  tokensIn: number | null,
  tokensOut: number | null,
  cacheTokens: number | null,
  costNanoUsd: number | null,
  metadata: string | null,
  eventId: string | null,
];

/** A batch in a message between threads. Copying its rows as objects would take ten times as long. */
export interface EncodedBatch {
  /** The same number if a batch is sent again. */
  number: number;
  /** The batch was sent before, and its result is unknown. */
  isAgain: boolean;
  /** JSON: the contexts once, and the values of rows by position. */
  text: string;
  /** All bodies in succession. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** A context of a batch: the values that some of its rows share. */
export interface BatchContext {
  id: number;
  columns: LogContext;
}

export interface BatchPayload {
  request: Uint8Array;
  response: Uint8Array;
  requestSize: number;
  responseSize: number;
  /** Alternating names and values. */
  requestHeaders: readonly string[];
  responseHeaders: readonly string[];
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
  /** By account and id, the order of locks. */
  gateways: BatchGateway[];
}

type SentLimit = [number, LogLimit['strategy']] | null;
type SentPayload = [number, number, number, number, readonly string[], readonly string[]];
type SentGateway = [accountId: string, gatewayId: string, limit: SentLimit];
/** The gateway, its creation, and the columns. */
type SentContext = [number, number, ...Value[]];
interface SentBatch {
  gateways: SentGateway[];
  contexts: SentContext[];
  /** The context, and the lengths, sizes and headers of the bodies. */
  rows: [context: number, SentPayload | null, ...SentRow][];
}

/** Returns the bytes of the bodies of a record. */
export function bodyBytes({ payload }: LogRecord): number {
  if (payload === null) return 0;
  return payload.response.reduce((sum, { length }) => sum + length, payload.request.length);
}

/** Encodes a batch for another thread. */
export function encodeBatch(
  number: number,
  records: readonly LogRecord[],
  isAgain = false,
): EncodedBatch {
  const gateways = new Map<string, { index: number; sent: SentGateway }>();
  const contexts = new Map<string, { index: number; sent: SentContext }>();
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + bodyBytes(record), 0));
  let offset = 0;
  let last: { row: LogRow; gateway: SentGateway; context: number } | undefined;
  const placeOf = (row: LogRow): { gateway: SentGateway; context: number } => {
    const gatewayKey = `${row.account_id} ${row.gateway_id}`;
    let gateway = gateways.get(gatewayKey);
    if (gateway === undefined) {
      gateway = { index: gateways.size, sent: [row.account_id, row.gateway_id, null] };
      gateways.set(gatewayKey, gateway);
    }
    const contextKey = keyOf(gateway.index, row);
    let context = contexts.get(contextKey);
    if (context === undefined) {
      const values = CONTEXT_COLUMNS.map((column) => row[column]);
      const sent: SentContext = [gateway.index, row.gateway_created_at, ...values];
      context = { index: contexts.size, sent };
      contexts.set(contextKey, context);
    }
    return { gateway: gateway.sent, context: context.index };
  };
  const rows = records.map(({ row, payload, limit }): SentBatch['rows'][number] => {
    if (last === undefined || !isAlike(last.row, row)) last = { row, ...placeOf(row) };
    // The latest limit is the current one.
    last.gateway[2] = limit && [limit.maxRows, limit.strategy];
    if (payload === null) return sentRow(last.context, null, row);
    const begin = offset;
    bytes.set(payload.request, offset);
    offset += payload.request.length;
    for (const part of payload.response) {
      bytes.set(part, offset);
      offset += part.length;
    }
    const { requestSize, responseSize, requestHeaders, responseHeaders } = payload;
    const requestBytes = payload.request.length;
    const responseBytes = offset - begin - requestBytes;
    return sentRow(
      last.context,
      [requestBytes, responseBytes, requestSize, responseSize, requestHeaders, responseHeaders],
      row,
    );
  });
  const text = JSON.stringify({
    gateways: [...gateways.values()].map(({ sent }) => sent),
    contexts: [...contexts.values()].map(({ sent }) => sent),
    rows,
  });
  return { number, isAgain, text, bytes };
}

function sentRow(
  context: number,
  payload: SentPayload | null,
  row: LogRow,
): SentBatch['rows'][number] {
  return [
    context,
    payload,
    row.id,
    row.created_at,
    row.duration_ms,
    row.ttft_ms,
    row.tokens_in,
    row.tokens_out,
    row.cache_tokens,
    row.cost_nano_usd,
    row.metadata,
    row.event_id,
  ];
}

/** Returns true for two rows with the same context and gateway. */
function isAlike(one: LogRow, other: LogRow): boolean {
  return (
    one.account_id === other.account_id &&
    one.gateway_id === other.gateway_id &&
    one.gateway_created_at === other.gateway_created_at &&
    one.status_code === other.status_code &&
    one.success === other.success &&
    one.cached === other.cached &&
    one.step === other.step &&
    one.attempts === other.attempts &&
    one.custom_cost === other.custom_cost &&
    one.usage_source === other.usage_source &&
    one.provider === other.provider &&
    one.model === other.model &&
    one.model_type === other.model_type &&
    one.path === other.path &&
    one.request_type === other.request_type &&
    one.request_content_type === other.request_content_type &&
    one.response_content_type === other.response_content_type &&
    one.token_id === other.token_id &&
    one.user_id === other.user_id &&
    one.oauth_client_id === other.oauth_client_id
  );
}

// Neither header fields nor ids contain it.
const UNKNOWN = '\u0001';

/** Returns a key of a context, faster than JSON. No text contains a NUL. */
function keyOf(gateway: number, row: LogRow): string {
  return `${gateway} ${row.gateway_created_at} ${row.status_code} ${row.success} ${row.cached} ${row.step} ${row.attempts} ${row.custom_cost} ${row.usage_source ?? UNKNOWN} ${row.provider}\0${row.model}\0${row.model_type ?? UNKNOWN}\0${row.path}\0${row.request_type}\0${row.request_content_type ?? UNKNOWN}\0${row.response_content_type ?? UNKNOWN}\0${row.token_id ?? UNKNOWN}\0${row.user_id ?? UNKNOWN}\0${row.oauth_client_id ?? UNKNOWN}`;
}

/** Decodes the result of {@link encodeBatch}. */
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
  for (const one of sent.rows) {
    const { gateway, createdAt, context } = contexts[one[0]] as (typeof contexts)[number];
    const payload = one[1];
    gateway.records.push({
      row: {
        ...context.columns,
        account_id: gateway.accountId,
        gateway_id: gateway.gatewayId,
        gateway_created_at: createdAt,
        id: one[2],
        created_at: one[3],
        duration_ms: one[4],
        ttft_ms: one[5],
        tokens_in: one[6],
        tokens_out: one[7],
        cache_tokens: one[8],
        cost_nano_usd: one[9],
        metadata: one[10],
        event_id: one[11],
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
