import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import type { Clash, Meanwhile } from './tag-draft.ts';
import { wantedTags } from './tag-draft.ts';
import { TagDiff, TagValue } from './tag-diff.tsx';
import type { TagEditorState } from './use-tag-editor.ts';

interface TagMeanwhileProps {
  meanwhile: Meanwhile;
  editor: TagEditorState;
}

/** What others have changed while somebody was writing: nothing of either is lost. */
export function TagMeanwhile({ meanwhile, editor }: TagMeanwhileProps) {
  const { rows, dispatch } = editor;
  const { taken, clashes } = meanwhile;
  const wanted = wantedTags(rows);
  return (
    <Callout tone="warning" isAlert title={labels.theseTagsHaveChangedIn}>
      <div className="space-y-3">
        <p>{labels.anotherUserChangedTheTags}</p>
        {taken.length > 0 && (
          <>
            <p>{labels.changedElsewhereAndIncludedBelow}</p>
            <TagDiff label={labels.changedElsewhere} changes={taken} />
          </>
        )}
        {clashes.length > 0 && (
          <>
            <p>{labels.changedElsewhereAndByYou}</p>
            <ul aria-label={labels.conflictingChanges} className="space-y-2">
              {clashes.map((clash) => (
                <ClashRow
                  key={clash.key}
                  clash={clash}
                  chosen={wanted.get(clash.key)}
                  onChoose={(value) => dispatch({ do: 'set', key: clash.key, value })}
                />
              ))}
            </ul>
          </>
        )}
      </div>
    </Callout>
  );
}

interface ClashRowProps {
  clash: Clash;
  /** What the draft says. */
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
}

function ClashRow({ clash, chosen, onChoose }: ClashRowProps) {
  const { key, before, after, mine } = clash;
  const sides = [
    { title: labels.yourVersion, value: mine, deed: labels.keepMyVersion },
    { title: labels.otherVersion, value: after, deed: labels.chooseOtherVersion },
  ];
  return (
    <li className="rounded-lg border border-line bg-surface p-3 text-text">
      <p className="mb-2 text-sm text-muted">
        <bdi className="font-mono font-semibold wrap-anywhere text-text">{key}</bdi>, which was{' '}
        <TagValue value={before} />
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        {sides.map(({ title, value, deed }) => (
          <div
            key={title}
            className="flex min-w-0 flex-col items-start gap-2 rounded-md border border-line p-2.5"
          >
            <p className="min-w-0">
              <span className="block text-xs text-muted">{title}</span>
              {value === undefined ? (
                <span className="text-muted italic">removed</span>
              ) : (
                <TagValue value={value} />
              )}
            </p>
            <Button
              isSmall
              look={chosen === value ? 'primary' : 'plain'}
              aria-pressed={chosen === value}
              aria-label={`${deed}: ${key}`}
              onClick={() => onChoose(value)}
            >
              {deed}
            </Button>
          </div>
        ))}
      </div>
    </li>
  );
}
