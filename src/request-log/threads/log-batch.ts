import { hash } from 'node:crypto';
import { CONTEXT_COLUMNS } from '../columns.ts';
import type { LogContext, LogLimit, LogPayload, LogRecord, LogRow } from '../record.ts';

/** A record in the form that the queue keeps and the writer thread receives. */
export interface EncodedRecord {
  /** JSON: a {@link LogRow}. */
  row: string;
  /** JSON: a {@link LogLimit}, or null. */
  limit: string;
  payload: EncodedPayload | undefined;
}

export interface EncodedPayload {
  /** JSON: {@link PayloadFacts}. */
  facts: string;
  /** The pieces of both bodies. */
  bodies: readonly Uint8Array[];
  bodyBytes: number;
}

/** A payload without its bodies. */
interface PayloadFacts extends Omit<LogPayload, 'request' | 'response'> {
  requestBytes: number;
  responseBytes: number;
}

/** A batch in a message between threads. */
export interface EncodedBatch {
  /** The same number if a batch is sent again. */
  number: number;
  /** The batch was sent before, and its result is unknown. */
  isAgain: boolean;
  /** JSON: the records. */
  records: string;
  /** All bodies in succession. */
  bodies: Uint8Array<ArrayBuffer>;
}

/** A context of a batch: the values that some of its rows share. */
export interface BatchContext {
  id: number;
  /** In the order of {@link CONTEXT_COLUMNS}. */
  values: readonly LogContext[keyof LogContext][];
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

/** Encodes a record once, so that the queue knows its size, and no thread copies its members. */
export function encodeRecord({ row, limit, payload }: LogRecord): EncodedRecord {
  return {
    row: JSON.stringify(row),
    limit: JSON.stringify(limit),
    payload: payload === null ? undefined : encodePayload(payload),
  };
}

function encodePayload({ request, response, ...others }: LogPayload): EncodedPayload {
  const requestBytes = request.length;
  const responseBytes = response.reduce((sum, { length }) => sum + length, 0);
  const facts: PayloadFacts = { ...others, requestBytes, responseBytes };
  return {
    facts: JSON.stringify(facts),
    bodies: [request, ...response],
    bodyBytes: requestBytes + responseBytes,
  };
}

/** Joins records for another thread. */
export function encodeBatch(
  number: number,
  records: readonly EncodedRecord[],
  isAgain = false,
): EncodedBatch {
  const texts: string[] = [];
  let bodyBytes = 0;
  for (const { row, limit, payload } of records) {
    texts.push(`[${row},${limit},${payload?.facts ?? 'null'}]`);
    bodyBytes += payload?.bodyBytes ?? 0;
  }
  const bodies = new Uint8Array(bodyBytes);
  let offset = 0;
  for (const { payload } of records) {
    for (const piece of payload?.bodies ?? []) {
      bodies.set(piece, offset);
      offset += piece.length;
    }
  }
  return { number, isAgain, records: `[${texts.join(',')}]`, bodies };
}

/** Decodes the result of {@link encodeBatch}. */
export function decodeBatch({ number, isAgain, records, bodies }: EncodedBatch): LogBatch {
  const gateways = new Map<string, BatchGateway>();
  const contexts = new Map<string, BatchContext>();
  let offset = 0;
  const take = (length: number): Uint8Array => bodies.subarray(offset, (offset += length));
  const decoded = JSON.parse(records) as [LogRow, LogLimit | null, PayloadFacts | null][];
  for (const [row, limit, facts] of decoded) {
    const { account_id: accountId, gateway_id: gatewayId } = row;
    const key = `${accountId} ${gatewayId}`;
    let gateway = gateways.get(key);
    if (gateway === undefined) {
      gateway = { accountId, gatewayId, limit, records: [] };
      gateways.set(key, gateway);
    }
    // The latest limit is the current one.
    gateway.limit = limit;
    const payload = facts === null ? undefined : decodePayload(facts, take);
    gateway.records.push({ row, context: contextOf(row, contexts), payload });
  }
  const sorted = [...gateways].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { number, isAgain, gateways: sorted.map(([, gateway]) => gateway) };
}

function decodePayload(
  { requestBytes, responseBytes, ...others }: PayloadFacts,
  take: (length: number) => Uint8Array,
): BatchPayload {
  return { ...others, request: take(requestBytes), response: take(responseBytes) };
}

const CONTEXT_ID_BITS = 53n;

/** Returns the context of a row. Its id is the beginning of the hash of its values. */
function contextOf(row: LogRow, contexts: Map<string, BatchContext>): BatchContext {
  const values = CONTEXT_COLUMNS.map((column) => row[column]);
  const text = JSON.stringify(values);
  const known = contexts.get(text);
  if (known !== undefined) return known;
  const digest = hash('sha256', text, 'buffer');
  const context = {
    id: Number(digest.readBigUInt64BE() >> (64n - CONTEXT_ID_BITS)),
    values,
  };
  contexts.set(text, context);
  return context;
}
