import { isUtf8 } from 'node:buffer';
import type { Selectable } from 'kysely';
import type {
  GatewayLogBodiesTable,
  GatewayLogEntriesTable,
  LogIdColumn,
} from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';

type EntryRow = Selectable<GatewayLogEntriesTable>;
type BodiesRow = Selectable<GatewayLogBodiesTable>;

// Limit of bodies in memory, unless a single row has more.
const PAGE_BODY_BYTES = 1024 * 1024;

/** The bodies and headers of a row in a line. */
export interface ExportedBodies {
  request_body: string | null;
  request_body_encoding: 'utf-8' | 'base64' | null;
  request_body_complete: boolean | null;
  request_headers: unknown;
  response_body: string | null;
  response_body_encoding: 'utf-8' | 'base64' | null;
  response_body_complete: boolean | null;
  response_headers: unknown;
}

const NO_BODIES: ExportedBodies = {
  request_body: null,
  request_body_encoding: null,
  request_body_complete: null,
  request_headers: null,
  response_body: null,
  response_body_encoding: null,
  response_body_complete: null,
  response_headers: null,
};

/** A row, with its bodies if they are exported. */
export interface EntryWithBodies {
  entry: EntryRow;
  bodies: ExportedBodies | undefined;
}

/** Returns a page of rows without bodies as one part. */
export function* withoutBodies(entries: readonly EntryRow[]): Generator<EntryWithBodies[]> {
  yield entries.map((entry) => ({ entry, bodies: undefined }));
}

/** Divides a page, so that the bodies of each part fit into memory. */
export async function* withBodies(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  entries: readonly EntryRow[],
): AsyncGenerator<EntryWithBodies[]> {
  for (const part of partsOf(entries)) {
    const ids = part.filter((entry) => entry.request_size !== null).map((entry) => entry.id);
    const found = await readBodies(db, scope, ids);
    const bodies = new Map(found.map((row) => [dialect.toId(row.id), presentBodies(row)]));
    yield part.map((entry) => ({
      entry,
      bodies: bodies.get(dialect.toId(entry.id)) ?? NO_BODIES,
    }));
  }
}

function* partsOf(entries: readonly EntryRow[]): Generator<EntryRow[]> {
  let part: EntryRow[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const own = (entry.request_size ?? 0) + (entry.response_size ?? 0);
    if (part.length > 0 && bytes + own > PAGE_BODY_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(entry);
    bytes += own;
  }
  if (part.length > 0) yield part;
}

function readBodies(db: Db, scope: LogScope, ids: LogIdColumn[]): Promise<BodiesRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('gateway_log_bodies')
    .selectAll()
    .where((where) => where.and(scope))
    .where('id', 'in', ids)
    .execute();
}

function presentBodies(row: BodiesRow): ExportedBodies {
  const request = presentBody(row.request, row.request_is_whole === 1);
  const response = presentBody(row.response, row.response_is_whole === 1);
  return {
    request_body: request.text,
    request_body_encoding: request.encoding,
    request_body_complete: row.request_is_whole === 1,
    request_headers: JSON.parse(row.request_headers),
    response_body: response.text,
    response_body_encoding: response.encoding,
    response_body_complete: row.response_is_whole === 1,
    response_headers: JSON.parse(row.response_headers),
  };
}

// The longest character of UTF-8 has one byte more.
const MAX_BROKEN_BYTES = 3;

/** Returns a body as a text, or in base64. */
function presentBody(
  bytes: Uint8Array,
  isWhole: boolean,
): { text: string; encoding: 'utf-8' | 'base64' } {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A truncated text may end inside of a character.
  for (let broken = 0; broken <= (isWhole ? 0 : MAX_BROKEN_BYTES); broken++) {
    const text = body.subarray(0, Math.max(0, body.length - broken));
    if (isUtf8(text)) return { text: text.toString(), encoding: 'utf-8' };
  }
  return { text: body.toString('base64'), encoding: 'base64' };
}
