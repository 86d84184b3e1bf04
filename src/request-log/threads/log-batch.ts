import { hash } from 'node:crypto';
import { CONTEXT_COLUMNS, OWN_COLUMNS } from '../columns.ts';
import type { LogLimit, LogPayload, LogRecord, LogRow } from '../record.ts';

/** A batch in a message between threads. */
export interface EncodedBatch {
  /** The same number if a batch is sent again. */
  number: number;
  /** The batch was sent before, and its result is unknown. */
  isAgain: boolean;
  /** JSON: {@link SentBatch}. */
  text: string;
  /** All bodies in succession. */
  bodies: Uint8Array<ArrayBuffer>;
}

/** A context of a batch: the values that some of its rows share. */
export interface BatchContext {
  id: number;
  /** In the order of {@link CONTEXT_COLUMNS}. */
  values: readonly Value[];
}

/** A payload with each body in one piece. */
export interface BatchPayload extends Omit<LogPayload, 'response'> {
  response: Uint8Array;
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
  /** Sorted by account and id, the order of locks. */
  gateways: BatchGateway[];
}

/** The columns of the gateway and of the context, which many rows share. */
const SHARED_COLUMNS = [
  'account_id',
  'gateway_id',
  'gateway_created_at',
  ...CONTEXT_COLUMNS,
] as const satisfies readonly (keyof LogRow)[];
const GATEWAY_COLUMNS = SHARED_COLUMNS.length - CONTEXT_COLUMNS.length;
const ROW_COLUMNS = [
  'id',
  'created_at',
  ...OWN_COLUMNS,
] as const satisfies readonly (keyof LogRow)[];

type Value = LogRow[keyof LogRow];

interface SentBatch {
  /** Values of {@link SHARED_COLUMNS}. */
  shared: Value[][];
  /** The index of the shared values, and the values of {@link ROW_COLUMNS}. */
  records: [shared: number, LogLimit | null, SentPayload | null, ...Value[]][];
}

type SentPayload = [
  requestBytes: number,
  responseBytes: number,
  requestSize: number,
  responseSize: number,
  requestHeaders: string,
  responseHeaders: string,
  secrets: readonly string[],
];

/** Returns the bytes of both bodies of a record. */
export function bodyBytes({ payload }: LogRecord): number {
  if (payload === null) return 0;
  return payload.response.reduce((sum, { length }) => sum + length, payload.request.length);
}

/** Encodes a batch for another thread. Copying its rows as objects would take ten times as long. */
export function encodeBatch(
  number: number,
  records: readonly LogRecord[],
  isAgain = false,
): EncodedBatch {
  const bodies = new Uint8Array(records.reduce((sum, record) => sum + bodyBytes(record), 0));
  let offset = 0;
  const put = (piece: Uint8Array): number => {
    bodies.set(piece, offset);
    offset += piece.length;
    return piece.length;
  };
  const shared = new Map<string, number>();
  let index = 0;
  let before: LogRow | undefined;
  const sent = records.map(({ row, limit, payload }): SentBatch['records'][number] => {
    if (before === undefined || !sharesColumns(row, before)) {
      const text = JSON.stringify(SHARED_COLUMNS.map((column) => row[column]));
      index = shared.get(text) ?? shared.size;
      shared.set(text, index);
      before = row;
    }
    const values = ROW_COLUMNS.map((column) => row[column]);
    return [index, limit, payload && encodePayload(payload, put), ...values];
  });
  const text = `{"shared":[${[...shared.keys()].join(',')}],"records":${JSON.stringify(sent)}}`;
  return { number, isAgain, text, bodies };
}

function sharesColumns(row: LogRow, other: LogRow): boolean {
  for (const column of SHARED_COLUMNS) if (row[column] !== other[column]) return false;
  return true;
}

function encodePayload(payload: LogPayload, put: (piece: Uint8Array) => number): SentPayload {
  const requestBytes = put(payload.request);
  const responseBytes = payload.response.reduce((sum, piece) => sum + put(piece), 0);
  const { requestSize, responseSize, requestHeaders, responseHeaders, secrets } = payload;
  return [
    requestBytes,
    responseBytes,
    requestSize,
    responseSize,
    requestHeaders,
    responseHeaders,
    secrets,
  ];
}

/** The decoded form of values that rows share. */
interface SharedValues {
  columns: Partial<LogRow>;
  gateway: BatchGateway;
  context: BatchContext;
}

/** Decodes the result of {@link encodeBatch}. */
export function decodeBatch({ number, isAgain, text, bodies }: EncodedBatch): LogBatch {
  const sent = JSON.parse(text) as SentBatch;
  const gateways = new Map<string, BatchGateway>();
  const shared = sent.shared.map((values) => decodeShared(values, gateways));
  let offset = 0;
  const take = (length: number): Uint8Array => bodies.subarray(offset, (offset += length));
  for (const [index, limit, payload, ...values] of sent.records) {
    const { columns, gateway, context } = shared[index] as SharedValues;
    const row = { ...columns } as Record<string, Value>;
    for (let i = 0; i < ROW_COLUMNS.length; i++) row[ROW_COLUMNS[i] ?? ''] = values[i] ?? null;
    // The latest limit is the current one.
    gateway.limit = limit;
    gateway.records.push({
      row: row as unknown as LogRow,
      context,
      payload: payload === null ? undefined : decodePayload(payload, take),
    });
  }
  const sorted = [...gateways].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { number, isAgain, gateways: sorted.map(([, gateway]) => gateway) };
}

const CONTEXT_ID_BITS = 53n;

function decodeShared(values: readonly Value[], gateways: Map<string, BatchGateway>): SharedValues {
  const columns = Object.fromEntries(
    SHARED_COLUMNS.map((column, index) => [column, values[index] ?? null]),
  ) as Partial<LogRow>;
  const { account_id: accountId = '', gateway_id: gatewayId = '' } = columns;
  const key = `${accountId} ${gatewayId}`;
  const gateway = gateways.get(key) ?? { accountId, gatewayId, limit: null, records: [] };
  gateways.set(key, gateway);
  const ofContext = values.slice(GATEWAY_COLUMNS);
  // The id is the beginning of the hash of the values.
  const digest = hash('sha256', JSON.stringify(ofContext), 'buffer');
  const id = Number(digest.readBigUInt64BE() >> (64n - CONTEXT_ID_BITS));
  return { columns, gateway, context: { id, values: ofContext } };
}

function decodePayload(
  [requestBytes, responseBytes, requestSize, responseSize, ...texts]: SentPayload,
  take: (length: number) => Uint8Array,
): BatchPayload {
  const [requestHeaders, responseHeaders, secrets] = texts;
  return {
    request: take(requestBytes),
    response: take(responseBytes),
    requestSize,
    responseSize,
    requestHeaders,
    responseHeaders,
    secrets,
  };
}
