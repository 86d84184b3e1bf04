import { type TagFilter, parseTagFilters } from '../../src/tags/query/tag-filter.ts';

/** A way to keep tags in PostgreSQL that people would think of first, with what it answers requests by. */
export interface TagDesign {
  /** Run before there are resources; the source of {@link TagDesign.copy} is there. */
  tables: readonly string[];
  /** Brings all resources over from the table `loaded (seq, type, id, name, tags jsonb)`. */
  copy: readonly string[];
  indexes: readonly string[];
  /** Rows as {@link ResourceRow}, in the order of `seq`. */
  list(query: ListQuery): Statement;
  get(type: string, id: string): Statement;
  /** Rows with one column each, `item`, in its order. */
  keys(range: TextRange): Statement;
  values(key: string, range: TextRange): Statement;
  /** Rows as {@link SummaryRow}, in the order of keys. */
  summary(range: TextRange): Statement;
  /** A row as {@link ResourceRow}. */
  put(write: Write): Statement;
  /** The same; null removes a tag. */
  patch(write: Write<string | null>): Statement;
  /** A row for each. Takes an array of objects with `type`, `id`, `name` and `tags` as JSON. */
  putMany(writes: readonly Write[]): Statement;
}

export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Prepared once under this name: only for what has the same plan whatever the values are. */
  name?: string;
}

export interface ResourceRow {
  seq: string;
  id: string;
  type: string;
  name: string;
  tags: Record<string, string>;
  updated_at: Date;
}

export interface SummaryRow {
  key: string;
  /** Resources that have it. */
  count: number;
  /** The first 100 in order, and how many resources have each. */
  values: string[];
  counts: number[];
}

export interface ListQuery {
  filters: readonly TagFilter[];
  types: readonly string[];
  ids: readonly string[];
  namePart: string | undefined;
  caseInsensitive: boolean;
  /** Only resources after this one. */
  after: number;
  limit: number;
}

export interface TextRange {
  prefix: string;
  after: string;
  limit: number;
}

export interface Write<Value = string> {
  type: string;
  id: string;
  name: string;
  tags: Record<string, Value>;
}

const DEFAULT_LIMIT = 100;

/** A page has this many, and one more tells whether there is another page. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  return {
    filters: parseTagFilters(parameters.getAll('tag')),
    types: parameters.getAll('type'),
    ids: parameters.getAll('id'),
    namePart: parameters.get('name') ?? undefined,
    caseInsensitive: parameters.get('case_insensitive') === 'true',
    after: Number(parameters.get('cursor') ?? 0),
    limit: Number(parameters.get('limit') ?? DEFAULT_LIMIT),
  };
}

export function readTextRange(parameters: URLSearchParams): TextRange {
  return {
    prefix: parameters.get('prefix') ?? '',
    after: parameters.get('cursor') ?? '',
    limit: DEFAULT_LIMIT,
  };
}

/** Collects the parameters of a statement while its text is written. */
export class Parameters {
  readonly values: unknown[] = [];

  /** @returns what stands for the value in the text */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A pattern that finds this text, for `like`. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Conditions that need no tags. */
export function conditionsOnResource(
  { types, ids, namePart, after }: ListQuery,
  parameters: Parameters,
): string[] {
  const conditions = [`r.seq > ${parameters.add(after)}`];
  if (types.length > 0) conditions.push(`r.type = any(${parameters.add(types)})`);
  if (ids.length > 0) conditions.push(`r.id = any(${parameters.add(ids)})`);
  if (namePart !== undefined) {
    conditions.push(`r.name ilike ${parameters.add(`%${escapeLike(namePart)}%`)}`);
  }
  return conditions;
}
