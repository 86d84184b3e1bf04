import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/schema.ts';
import { foldCase } from '../store/fold.ts';
import { GATEWAY } from '../gateway-denials.ts';
import { type ResolvedFilter, resolveFilters } from './resolve-filters.ts';
import type { TagFilter } from './tag-filter.ts';

/**
 * How a list of tagged resources is found: of all that the caller asks for, the rarest positive
 * condition drives. Its resources are walked in list order along an index, beginning after the
 * cursor, and each is probed for the other conditions by primary key, until a page is full. The
 * counts that choose the driver are exact, since they are kept in the transactions of the tags.
 * Negations only probe. Work goes in batches, between which other requests get their turn.
 */

/** What a caller asks for; all of it must hold. Empty lists ask for nothing. */
export interface ResourceQuery {
  filters: readonly TagFilter[];
  types: readonly string[];
  ids: readonly string[];
  /** Part of the name, whatever the case. */
  name: string;
  caseInsensitive: boolean;
  /** Gateways that the caller must not see. */
  hiddenGateways: readonly string[];
}

/** A walk along one index in list order: `select seq … where …`, to be followed by `and …`. */
type Walk = RawBuilder<unknown>;
/** A condition on the resource whose place in the list is `c.seq`. */
type Probe = RawBuilder<unknown>;

interface Condition {
  /** The walks whose union is every resource that fulfils it; undefined: it can only be probed. */
  walks: Walk[] | undefined;
  /** How many resources the walks visit. */
  count: number;
  probe: Probe;
}

interface Plan {
  walks: Walk[];
  count: number;
  probes: Probe[];
}

/** The union of more walks than this costs more than walking all resources. */
const MAX_WALKS = 40;
/** A probe takes about 1 µs, so that no statement of the embedded database takes 10 ms. */
const PROBES_PER_STATEMENT = 6_000;
const MIN_BATCH = 25;
/** Most pages are full before this many resources have been visited. */
const FIRST_BATCH = 500;

/**
 * The places in the list of the first resources that match, after the one given.
 * @param limit how many to find at most
 */
export async function findMatches(
  db: Db,
  accountId: string,
  query: ResourceQuery,
  afterSeq: number,
  limit: number,
): Promise<number[]> {
  const plan = await makePlan(db, accountId, query);
  if (plan === undefined) return [];
  const maxBatch = batchLimit(plan);
  const found: number[] = [];
  let after = afterSeq;
  const firstBatch = Math.ceil(FIRST_BATCH / plan.walks.length);
  for (let batch = Math.min(firstBatch, maxBatch); ; batch = Math.min(2 * batch, maxBatch)) {
    const until = await endOfBatch(db, plan, after, batch);
    found.push(...(await matchesBetween(db, plan, after, until, limit - found.length)));
    if (until === undefined || found.length >= limit) return found;
    after = until;
    await yieldToEventLoop();
  }
}

function batchLimit({ walks, probes }: Plan): number {
  const probesPerStep = walks.length * Math.max(1, probes.length);
  return Math.max(MIN_BATCH, Math.floor(PROBES_PER_STATEMENT / probesPerStep));
}

/** Chooses what to walk and what to probe; undefined when the counts say that nothing matches. */
async function makePlan(
  db: Db,
  accountId: string,
  query: ResourceQuery,
): Promise<Plan | undefined> {
  const { filters, total } = await resolveFilters(db, accountId, query.filters, query);
  if (total === 0) return undefined;
  const conditions: Condition[] = [];
  if (query.types.length > 0) conditions.push(typeCondition(accountId, query.types, total));
  if (query.ids.length > 0) conditions.push(await idCondition(db, accountId, query.ids));
  if (query.name !== '') conditions.push(nameCondition(accountId, query.name));
  if (query.hiddenGateways.length > 0) {
    conditions.push(visibleCondition(accountId, query.hiddenGateways));
  }
  for (const filter of filters) {
    // No resource has any of these tags, or all have one: the filter holds always or never.
    if (filter.tags.length === 0 && filter.negated) continue;
    if (filter.tags.length === 0 || (filter.negated && isOnAll(filter, total))) return undefined;
    conditions.push(tagCondition(accountId, filter));
  }
  // The rarest first, so that the first probe to fail mostly is the first one made.
  conditions.sort((a, b) => a.count - b.count);
  const driver = conditions.find((condition) => condition.walks !== undefined);
  return {
    walks: driver?.walks ?? [sql`select seq from tagged_resources where account_id = ${accountId}`],
    count: driver?.count ?? total,
    probes: conditions.filter((condition) => condition !== driver).map(({ probe }) => probe),
  };
}

/** Whether every one of so many resources has a tag of the filter: of one key, each has but one. */
function isOnAll({ tags, wantedCount }: ResolvedFilter, total: number): boolean {
  return wantedCount === total && tags.every(({ key }) => key === tags[0]?.key);
}

/** A column of the resource at hand, by primary key. A scalar subquery: no planner can turn it round. */
function resourceColumn(accountId: string, column: string): RawBuilder<unknown> {
  return sql`(select r.${sql.ref(column)} from tagged_resources as r
    where r.account_id = ${accountId} and r.seq = c.seq)`;
}

/** Walks `tagged_resources_type`. */
function typeCondition(accountId: string, types: readonly string[], count: number): Condition {
  const walks = types.map(
    (type) =>
      sql`select seq from tagged_resources where account_id = ${accountId} and resource_type = ${type}`,
  );
  return {
    walks: walks.length <= MAX_WALKS ? walks : undefined,
    count,
    probe: sql`${resourceColumn(accountId, 'resource_type')} in (${sql.join(types)})`,
  };
}

/**
 * Ids become places in the list at once, by `tagged_resources_resource`: they are few, though
 * resources of several types may have the same id.
 */
async function idCondition(db: Db, accountId: string, ids: readonly string[]): Promise<Condition> {
  const rows = await db
    .selectFrom('tagged_resources')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('resource_id', 'in', ids)
    .execute();
  // No resource has the place 0: an empty list is no SQL.
  const places = sql.join(rows.length === 0 ? [0] : rows.map((row) => row.seq));
  return {
    walks: [
      sql`select seq from tagged_resources where account_id = ${accountId} and seq in (${places})`,
    ],
    count: rows.length,
    probe: sql`c.seq in (${places})`,
  };
}

/** No index serves a part of a name: it is always probed, and last. */
function nameCondition(accountId: string, name: string): Condition {
  const pattern = `%${foldCase(name).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const column = resourceColumn(accountId, 'name_folded');
  return {
    walks: undefined,
    count: Number.POSITIVE_INFINITY,
    probe: sql`${column} like ${pattern} escape ${sql.lit('\\')}`,
  };
}

/** Probed, and not looked up before: one of them may be tagged at any time. */
function visibleCondition(accountId: string, hiddenGateways: readonly string[]): Condition {
  const id = resourceColumn(accountId, 'resource_id');
  const type = resourceColumn(accountId, 'resource_type');
  return {
    walks: undefined,
    count: Number.POSITIVE_INFINITY,
    probe: sql`(${type} <> ${GATEWAY} or ${id} not in (${sql.join(hiddenGateways)}))`,
  };
}

/** Walks `resource_tags_key` or `resource_tags_value`; probes the primary key of `resource_tags`. */
function tagCondition(accountId: string, { tags, negated, count }: ResolvedFilter): Condition {
  const walks = tags.map(
    ({ key, valueKey }) => sql`select seq from resource_tags where account_id = ${accountId}
      and key = ${key}${valueKey === undefined ? sql`` : sql` and value_key = ${valueKey}`}`,
  );
  const probes = [...Map.groupBy(tags, ({ key }) => key)].map(([key, group]) => {
    const stored = sql`(select t.value_key from resource_tags as t
      where t.account_id = ${accountId} and t.seq = c.seq and t.key = ${key})`;
    const valueKeys = group.flatMap(({ valueKey }) => valueKey ?? []);
    if (valueKeys.length === 0) return sql`${stored} is not null`;
    return sql`${stored} in (${sql.join(valueKeys)})`;
  });
  const matches = sql`(${sql.join(probes, sql` or `)})`;
  return {
    walks: negated || walks.length > MAX_WALKS ? undefined : walks,
    count,
    // Where the key is absent the comparison is neither true nor false.
    probe: negated ? sql`${matches} is not true` : sql`${matches} is true`,
  };
}

/** Where the batch ends that starts after a place in the list; undefined when it is the last one. */
async function endOfBatch(
  db: Db,
  { walks, count, probes }: Plan,
  after: number,
  batch: number,
): Promise<number | undefined> {
  const [walk] = walks;
  // A single walk without probes ends at the limit of the page by itself.
  if (count <= batch || walk === undefined || (walks.length === 1 && probes.length === 0)) {
    return undefined;
  }
  // No walk may go further than the one that reaches the size of a batch first.
  const ends = walks.map(
    (walk_, index) =>
      sql`select seq from (${walk_} and seq > ${after}
        order by seq limit 1 offset ${sql.lit(batch - 1)}) as ${sql.ref(`w${index}`)}`,
  );
  const { rows } = await sql<{ seq: number | null }>`
    select min(seq) as seq from (${sql.join(ends, sql` union all `)}) as ends`.execute(db);
  return rows[0]?.seq ?? undefined;
}

/** Walks one batch and probes it. */
async function matchesBetween(
  db: Db,
  { walks, probes }: Plan,
  after: number,
  until: number | undefined,
  limit: number,
): Promise<number[]> {
  const end = until === undefined ? sql`` : sql` and seq <= ${until}`;
  const ranges = walks.map((walk) => sql`${walk} and seq > ${after}${end}`);
  // Walks of several tags may meet at one resource.
  const distinct = walks.length > 1 ? sql`distinct ` : sql``;
  const condition = probes.length === 0 ? sql`` : sql`where ${sql.join(probes, sql` and `)}`;
  const { rows } = await sql<{ seq: number }>`
    select ${distinct}c.seq from (${sql.join(ranges, sql` union all `)}) as c
    ${condition} order by c.seq limit ${limit}`.execute(db);
  return rows.map((row) => row.seq);
}
