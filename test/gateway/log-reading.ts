import assert from 'node:assert/strict';
import type {
  FilterValue,
  LogFilter,
  LogListQuery,
  Operator,
  StoredLog,
} from '../../src/request-log/log-query.ts';
import type { LogTables } from './stored-logs.ts';

/** Checks a page of stored logs, and how many there are unless that is an estimate, against {@link selectPlainly}. */
export async function checkPage(
  { reads }: LogTables,
  logs: readonly StoredLog[],
  query: LogListQuery,
): Promise<void> {
  const page = await reads.list(query);
  const expected = selectPlainly(logs, query);
  const { offset, limit } = query;
  assert.deepEqual(
    page.rows.map(({ id }) => id),
    expected.slice(offset, offset + limit).map(({ id }) => id),
  );
  if (!page.isEstimated) assert.equal(page.totalCount, expected.length);
}

/** The same that the read side of the log store answers, without any index: what it is held against. */
export function selectPlainly(logs: readonly StoredLog[], query: LogListQuery): StoredLog[] {
  const selected = logs.filter(
    (log) =>
      log.account_id === query.accountId &&
      log.gateway_id === query.gatewayId &&
      log.created_at >= query.sinceMs &&
      meetsAll(log, query.filters) &&
      (query.search === undefined || isFound(log, query.search)),
  );
  const sign = query.direction === 'asc' ? 1 : -1;
  return selected.toSorted((a, b) => {
    const [one, other] = [a[query.orderBy], b[query.orderBy]];
    if (one !== other) {
      if (one === null) return 1;
      if (other === null) return -1;
      return (one < other ? -1 : 1) * sign;
    }
    return (a.id < b.id ? -1 : 1) * sign;
  });
}

function meetsAll(log: StoredLog, filters: readonly LogFilter[]): boolean {
  return filters.every((filter, index) => {
    const before = filters[index - 1];
    const after = filters[index + 1];
    if (filter.on === 'metadata.key' && after?.on === 'metadata.value' && opens(filter)) {
      return entriesOf(log).some(
        ([key, value]) =>
          meets(key, filter.operator, filter.values) &&
          meets(value, after.operator, after.values.map(asText)),
      );
    }
    if (filter.on === 'metadata.value' && before?.on === 'metadata.key' && opens(before)) {
      return true;
    }
    return meetsOne(log, filter);
  });
}

function opens({ operator, values }: LogFilter): boolean {
  return operator !== 'neq' && !(values as FilterValue[]).includes(null);
}

function meetsOne(log: StoredLog, filter: LogFilter): boolean {
  const { operator } = filter;
  switch (filter.on) {
    case 'context':
      return meets(log[filter.field], operator, filter.values);
    case 'row':
      return meets(
        filter.field === 'tokens' ? tokensOf(log) : log[filter.field],
        operator,
        filter.values,
      );
    case 'id':
      return meets(log.id, operator, filter.values);
    case 'created_at':
      return meets(log.created_at, operator, filter.values);
    case 'metadata.key': {
      const keys = entriesOf(log).map(([key]) => key);
      const has = (how: Operator): boolean =>
        keys.some((key) => meets(key, how, filter.values)) ||
        (how === 'eq' && filter.values.includes(null) && keys.length === 0);
      return operator === 'neq' ? !has('eq') : has(operator);
    }
    case 'metadata.value': {
      const values = filter.values.map(asText);
      const has = (how: Operator): boolean =>
        entriesOf(log).some(([, value]) => meets(value, how, values));
      return operator === 'neq' ? !has('eq') : has(operator);
    }
  }
}

function tokensOf({ tokens_in: tokensIn, tokens_out: tokensOut }: StoredLog): number | null {
  return tokensIn === null && tokensOut === null ? null : (tokensIn ?? 0) + (tokensOut ?? 0);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function entriesOf({ metadata }: StoredLog): [string, string][] {
  const entries = Object.entries(JSON.parse(metadata ?? '{}') as object);
  return entries.map(([key, value]) => [key, asText(value)]);
}

/** As the databases compare texts: by their bytes. */
function isLess(one: string | number, other: string | number): boolean {
  if (typeof one === 'number') return one < Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(String(other))) < 0;
}

function meets(
  value: string | number | null,
  operator: Operator,
  wanted: readonly FilterValue[],
): boolean {
  if (operator === 'neq') return !wanted.includes(value);
  if (operator === 'eq') return wanted.includes(value);
  return wanted.some((one) => {
    if (value === null || one === null) return false;
    if (operator === 'contains') return String(value).includes(String(one));
    return operator === 'lt' ? isLess(value, one) : isLess(one, value);
  });
}

function isFound(log: StoredLog, search: string): boolean {
  const part = fold(search);
  const inJson = JSON.stringify(part).slice(1, -1);
  return (
    [log.model, log.provider, log.path].some((text) => fold(text).includes(part)) ||
    fold(log.metadata ?? '').includes(inJson)
  );
}

function fold(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
