import type { Db } from '../../storage/schema.ts';
import { GENESIS_HASH, chainHash } from './audit-chain.ts';

/** A chain as it was found: whole, or with the first thing that is wrong with it. */
export interface VerifiedChain {
  chainId: string;
  /** What the rows say; undefined for a chain that has none. */
  scope: 'account' | 'user' | undefined;
  /** How many rows in a row are sound, from the first on. */
  rows: number;
  /** Hash of the last sound row. Kept elsewhere, it shows later that nothing before it was rewritten. */
  hash: string;
  fault: ChainFault | undefined;
}

export interface ChainFault {
  /** Of the row at fault, or of the one that is missing. */
  seq: number;
  message: string;
}

// Rows may be 30 KB long.
const PAGE_ROWS = 1_000;

/**
 * Walks every chain of the audit log in the order of their ids, or just one, and recomputes every link.
 * Rows may be appended meanwhile.
 * @param onRows told how many rows were read, page by page
 * @throws Error when there is nothing of the one chain
 */
export async function* verifyAuditLog(
  db: Db,
  onRows: (count: number) => void,
  onlyChainId?: string,
): AsyncGenerator<VerifiedChain> {
  if (onlyChainId !== undefined) {
    const found = await nextChain(db, '>=', onlyChainId);
    if (found !== onlyChainId) throw new Error(`no audit log exists for ${onlyChainId}`);
    yield await verifyChain(db, onlyChainId, onRows);
    return;
  }
  for (let chainId = await nextChain(db, '>=', ''); chainId !== undefined;) {
    yield await verifyChain(db, chainId, onRows);
    chainId = await nextChain(db, '>', chainId);
  }
}

/** The next chain of which the head or rows are there. Uses the primary keys. */
async function nextChain(
  db: Db,
  comparison: '>' | '>=',
  chainId: string,
): Promise<string | undefined> {
  const found = await Promise.all(
    (['audit_heads', 'audit_logs'] as const).map((table) =>
      db
        .selectFrom(table)
        .select('chain_id')
        .where('chain_id', comparison, chainId)
        .orderBy('chain_id')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  return found
    .flatMap((row) => row?.chain_id ?? [])
    .toSorted()
    .at(0);
}

async function verifyChain(
  db: Db,
  chainId: string,
  onRows: (count: number) => void,
): Promise<VerifiedChain> {
  const chain: VerifiedChain = {
    chainId,
    scope: undefined,
    rows: 0,
    hash: GENESIS_HASH,
    fault: undefined,
  };
  // What is appended during the walk is not part of it.
  const head = (await findHead(db, chainId)) ?? { seq: Number.MAX_SAFE_INTEGER, hash: undefined };
  while (chain.fault === undefined) {
    const count = await verifyPage(db, chain, head.seq);
    onRows(count);
    if (count < PAGE_ROWS) break;
  }
  chain.fault ??= faultOfHead(chain, head) ?? (await faultBeyondHead(db, chain));
  return chain;
}

interface Head {
  seq: number;
  /** Undefined: there is no head. */
  hash: string | undefined;
}

function findHead(db: Db, chainId: string): Promise<Head | undefined> {
  return db
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('chain_id', '=', chainId)
    .executeTakeFirst();
}

/** Goes on with the rows that follow; returns how many were read. */
async function verifyPage(db: Db, chain: VerifiedChain, lastSeq: number): Promise<number> {
  const rows = await db
    .selectFrom('audit_logs')
    .selectAll()
    .where('chain_id', '=', chain.chainId)
    // No bound for the first page: a row before the first is one too many.
    .$if(chain.rows > 0, (query) => query.where('seq', '>', chain.rows))
    .where('seq', '<=', lastSeq)
    .orderBy('seq')
    .limit(PAGE_ROWS)
    .execute();
  for (const { hash, ...row } of rows) {
    const seq = chain.rows + 1;
    chain.scope ??= row.resource_scope === 'accounts' ? 'account' : 'user';
    if (row.seq < seq) chain.fault = { seq: row.seq, message: `row ${row.seq} is unexpected` };
    else if (row.seq > seq) chain.fault = missing(seq);
    else if (chainHash(chain.hash, row) !== hash) {
      chain.fault = { seq, message: `row ${seq} was modified` };
    }
    if (chain.fault !== undefined) break;
    chain.rows = seq;
    chain.hash = hash;
  }
  return rows.length;
}

function missing(seq: number): ChainFault {
  return { seq, message: `row ${seq} is missing` };
}

function faultOfHead({ rows, hash }: VerifiedChain, head: Head): ChainFault | undefined {
  if (head.hash === undefined) return { seq: rows, message: 'the head is missing' };
  if (rows < head.seq) return missing(rows + 1);
  if (hash === head.hash) return undefined;
  return { seq: head.seq, message: `the head does not belong to row ${head.seq}` };
}

/** One statement sees the head and the rows as of one moment. */
async function faultBeyondHead(
  db: Db,
  { chainId }: VerifiedChain,
): Promise<ChainFault | undefined> {
  const row = await db
    .selectFrom('audit_logs')
    .select('seq')
    .where('chain_id', '=', chainId)
    .where('seq', '>', (query) =>
      query.selectFrom('audit_heads').select('seq').where('chain_id', '=', chainId),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return row && { seq: row.seq, message: `row ${row.seq} is unexpected` };
}
