import type { AuditRow } from '../../../api/audit-log.ts';
import type { TagMap } from '../../../api/resource-tags.ts';
import { compareKeys } from './tag-changes.ts';

/** What the log does not tell: it keeps no secrets, and no very long texts. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** What a tag was; undefined: there was none. */
export type Past = string | undefined | typeof UNKNOWN;

/** What became of one tag. */
export interface PastChange {
  key: string;
  before: Past;
  after: Past;
}

/** What an entry of the log did: all tags at once, some, or all away. */
export type StepKind = 'put' | 'patch' | 'delete';

/** One change of the tags of a resource. */
export interface HistoryStep {
  row: AuditRow;
  kind: StepKind;
  changes: PastChange[];
  /** The tags after it, as far as the log tells. */
  after: ReadonlyMap<string, Past>;
}

interface Asked {
  kind: StepKind;
  tags: ReadonlyMap<string, Past>;
  /** Whether there were more tags than the log keeps. */
  isCut: boolean;
}

/** What the log writes in the place of what it does not keep. */
const REDACTED = '[redacted]';
const CUT_TEXT = /… \(\d+ characters\)$/;
const CUT_FIELDS = '…';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function askedOf({ action, raw, resource }: AuditRow): Asked {
  const request = isObject(resource.request) ? resource.request : {};
  if (action.type === 'delete') return { kind: 'delete', tags: new Map(), isCut: false };
  const isPut = raw.method === 'PUT' || request.op === 'put';
  const sent = isObject(request.tags) ? Object.entries(request.tags) : [];
  const isShort = '_shortened' in request;
  const isCut = sent.some(([key, value]) => key === CUT_FIELDS || typeof value === 'number');
  const tags = sent
    .filter(([key, value]) => key !== CUT_FIELDS && (value === null || typeof value === 'string'))
    .map(([key, value]) => [key, pastOf(value as string | null, isShort)] as const);
  return { kind: isPut ? 'put' : 'patch', tags: new Map(tags), isCut };
}

function pastOf(value: string | null, isShort: boolean): Past {
  if (value === null) return undefined;
  return value === REDACTED || (isShort && CUT_TEXT.test(value)) ? UNKNOWN : value;
}

/**
 * What happened to the tags of a resource, the newest first.
 * @param rows of the log, the newest first
 * @param isWhole whether they reach back to when there were no tags
 * @param current the tags now: what nobody has touched since was the same then
 */
export function stepsOf(
  rows: readonly AuditRow[],
  isWhole: boolean,
  current: TagMap,
): HistoryStep[] {
  let tags: ReadonlyMap<string, Past> = new Map();
  let others: Past = isWhole ? undefined : UNKNOWN;
  const steps = rows.toReversed().map((row): HistoryStep => {
    const asked = askedOf(row);
    const isAll = asked.kind !== 'patch';
    const keys = new Set([...(isAll ? tags.keys() : []), ...asked.tags.keys()]);
    const before = (key: string): Past => (tags.has(key) ? tags.get(key) : others);
    const unsaid: Past = asked.isCut ? UNKNOWN : undefined;
    const after = (key: string): Past => (asked.tags.has(key) ? asked.tags.get(key) : unsaid);
    const changes = [...keys]
      .map((key): PastChange => ({ key, before: before(key), after: after(key) }))
      .filter((change) => change.before !== change.after || change.after === UNKNOWN)
      .toSorted((a, b) => compareKeys(a.key, b.key));
    tags = new Map([...tags, ...[...keys].map((key) => [key, after(key)] as const)]);
    if (isAll) others = unsaid;
    else if (asked.isCut) others = UNKNOWN;
    return { row, kind: asked.kind, changes, after: tags };
  });
  return completed(steps, current).toReversed();
}

/** What no later step touches is as it is now. */
function completed(steps: readonly HistoryStep[], current: TagMap): HistoryStep[] {
  const touched = new Set<string>();
  let isSettled = true;
  return steps
    .toReversed()
    .map((step) => {
      const isSame = isSettled;
      const fill = (key: string, value: Past): Past =>
        isSame && value === UNKNOWN && !touched.has(key) ? current.get(key) : value;
      const known = [...step.after].map(([key, value]) => [key, fill(key, value)] as const);
      const rest = [...current].filter(([key]) => !step.after.has(key) && !touched.has(key));
      for (const { key } of step.changes) touched.add(key);
      // All that was there before went or came with it.
      if (step.kind !== 'patch') isSettled = false;
      return { ...step, after: new Map<string, Past>([...known, ...(isSame ? rest : [])]) };
    })
    .toReversed();
}

/** The tags after a step, with those that nobody can tell as they are now. */
export function restorable(
  { after }: HistoryStep,
  current: TagMap,
): { tags: TagMap; unknown: string[] } {
  const tags = new Map<string, string>();
  const unknown: string[] = [];
  for (const [key, past] of after) {
    const value = past === UNKNOWN ? current.get(key) : past;
    if (past === UNKNOWN) unknown.push(key);
    if (value !== undefined) tags.set(key, value);
  }
  return { tags, unknown: unknown.toSorted(compareKeys) };
}
