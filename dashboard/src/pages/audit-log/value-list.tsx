import { useState } from 'react';
import type { Change, Leaf, Scalar } from '../../lib/json-diff.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ChangeRow } from '../../ui/change-row.tsx';
import { labels } from './labels.ts';

/** What the server writes in the place of a secret. */
export const REDACTED = '[redacted]';

function Value({ value }: { value: Scalar }) {
  if (value === REDACTED) return <Badge>{labels.secretNotLogged}</Badge>;
  if (value === null || value === '') {
    return <span className="text-muted italic">{value === null ? 'none' : 'empty'}</span>;
  }
  return <span className="font-mono text-sm wrap-anywhere">{String(value)}</span>;
}

/** The values of something nested, each with its way there. */
export function ValueList({ leaves }: { leaves: readonly Leaf[] }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {leaves.map(({ path, value }, index) => (
        <div key={index} className={ROW}>
          <dt className={PATH}>{path}</dt>
          <dd className="min-w-0">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const ROW = 'grid items-baseline gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[minmax(8rem,14rem)_1fr]';
const PATH = 'font-mono text-sm text-muted wrap-anywhere';

/** What became of each value; what stayed as it was is folded. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const changed = changes.filter(({ kind }) => kind !== 'same');
  const same = changes.length - changed.length;
  const listed = isUnfolded ? changes : changed;
  return (
    <div className="space-y-2">
      {changed.length === 0 && <p className="text-muted">{labels.noDifferencesInTheLogged}</p>}
      {listed.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
          {listed.map((change, index) => (
            <ChangeRow
              key={index}
              kind={change.kind}
              name={change.path}
              before={change.kind === 'same' ? undefined : shown(change.before)}
              after={shown(change.after)}
            />
          ))}
        </ul>
      )}
      {same > 0 && (
        <Button
          isSmall
          look="quiet"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded ? labels.hideUnchangedValues : labels.showUnchanged(same)}
        </Button>
      )}
    </div>
  );
}

function shown(value: Scalar | undefined) {
  return value === undefined ? undefined : <Value value={value} />;
}
