import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AuditRow, type AuditSource, earlierChangesQuery } from '../../api/audit-log.ts';
import { type Change, diffOf, leavesOf } from '../../lib/json-diff.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';
import type { AuditSearch } from './audit-search.ts';
import { labels } from './labels.ts';
import { ChangeList, REDACTED, ValueList } from './value-list.tsx';

interface AuditChangeProps {
  source: AuditSource;
  row: AuditRow;
  search: AuditSearch;
}

/** What an entry says was changed: against what the log knows from before, or as it was asked for. */
export function AuditChange({ source, row, search }: AuditChangeProps) {
  const { id, request, response } = row.resource;
  const isChange = row.action.result === 'success' && row.action.type !== 'create';
  const earlier = useQuery({
    ...earlierChangesQuery(source, row),
    enabled: isChange && id !== undefined && isObject(response),
  });
  const before = earlier.data?.find((other) => isAlike(other.resource.response, response));
  // Whether there is something to compare with decides what is shown: better late than twice.
  if (earlier.isLoading) return <p className="text-muted">{labels.loadingThePreviousState}</p>;
  const hasContent = request !== undefined || response !== undefined;
  return (
    <div className="space-y-5">
      {before === undefined ? (
        <>
          <Values title={labels.request} content={request} />
          <Values title={labels.result} content={response} />
        </>
      ) : (
        <section className="space-y-2">
          <h3 className="font-semibold">{labels.changes}</h3>
          <p className="text-sm text-muted">
            Compared with{' '}
            <Link
              to="."
              search={{ ...search, row: before.id }}
              resetScroll={false}
              className="underline"
            >
              {labels.previousChange}
            </Link>
            , <Time value={before.action.time} />.
          </p>
          <ChangeList changes={changesBetween(before.resource.response, response)} />
        </section>
      )}
      {hasContent && <RawJson row={row} />}
    </div>
  );
}

function Values({ title, content }: { title: string; content: unknown }) {
  const leaves = leavesOf(content);
  if (leaves.length === 0) return null;
  return (
    <section className="space-y-2">
      <h3 className="font-semibold">{title}</h3>
      <ValueList leaves={leaves} />
    </section>
  );
}

function RawJson({ row }: { row: AuditRow }) {
  const [isShown, setIsShown] = useState(false);
  const { request, response } = row.resource;
  return (
    <div className="space-y-2">
      <Button isSmall aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? labels.hideJson : labels.showAsJson}
      </Button>
      {isShown && (
        <CodeBlock
          label={labels.entryAsJson}
          text={JSON.stringify({ request, response }, null, 2)}
        />
      )}
    </div>
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// They tell that something changed, and the entry tells when.
const TIMES_OF_CHANGE: ReadonlySet<string> = new Set(['updated_at', 'modified_at', 'modified_on']);

/** What became of each value, as far as it is news. */
function changesBetween(before: unknown, after: unknown): Change[] {
  return (
    diffOf(before, after)
      // A secret is in the answer that creates it and in no other: it is not gone.
      .filter(({ kind, before: was }) => !(kind === 'removed' && was === REDACTED))
      .map((change) => (TIMES_OF_CHANGE.has(change.path) ? { ...change, kind: 'same' } : change))
  );
}

// Below it the two are not two states of one thing, but answers of different operations.
const LEAST_IN_COMMON = 0.6;

/** Whether two answers show the same kind of thing. */
function isAlike(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const [names, others] = [new Set(Object.keys(a)), new Set(Object.keys(b))];
  return names.intersection(others).size / names.union(others).size >= LEAST_IN_COMMON;
}
