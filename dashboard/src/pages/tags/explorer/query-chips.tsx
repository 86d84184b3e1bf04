import { useRef, useState } from 'react';
import { focusPage } from '../../../lib/focus-page.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { labels } from '../labels.ts';
import { ConditionForm } from './condition-form.tsx';
import type { Explorer } from './explorer.ts';
import { textOfWords, wordsOfFilter, type Word } from './filter-words.ts';
import { removeFilter, replaceFilter } from './query-edit.ts';
import { faultOfFilter, readTagFilter } from './tag-filter.ts';
import { withList } from './tag-search.ts';
import type { TagQuery } from '../../../lib/tag-query.ts';
import { Words } from './words.tsx';

// A chip says what it is about; the whole list is behind it.
const MOST_IN_CHIP = 3;

function listWords(name: string, values: readonly string[]): Word[] {
  const shown = values.slice(0, MOST_IN_CHIP);
  const words = shown.flatMap((value, index): Word[] =>
    index === 0 ? [{ value }] : [' or ', { value }],
  );
  const left = values.length - shown.length;
  return [labels.nameIs(name), ...words, ...(left > 0 ? [` or ${left} others`] : [])];
}

/** The conditions that are set, each to be changed or taken away. */
export function QueryChips({ explorer }: { explorer: Explorer }) {
  const { query, onQuery } = explorer;
  const list = useRef<HTMLUListElement>(null);
  const { tag = [], type = [], id = [] } = query;
  const remove = (next: TagQuery): void => {
    onQuery(next);
    // What had the focus is gone.
    setTimeout(() => {
      const next = list.current?.querySelector('button');
      if (next) next.focus();
      else focusPage();
    });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul ref={list} aria-label={labels.conditions} className="contents">
        {type.length > 0 && (
          <ListChip
            words={listWords('type', type)}
            onRemove={() => remove(withList(query, 'type', []))}
          />
        )}
        {id.length > 0 && (
          <ListChip
            words={listWords('ID', id)}
            onRemove={() => remove(withList(query, 'id', []))}
          />
        )}
        {tag.map((text, index) => (
          <FilterChip
            // eslint-disable-next-line react/no-array-index-key -- what it says may change under it
            key={index}
            explorer={explorer}
            index={index}
            text={text}
            onRemove={() => remove(removeFilter(query, index))}
          />
        ))}
      </ul>
      {tag.length + type.length + id.length > 1 && (
        <Button
          isSmall
          look="quiet"
          onClick={() => {
            onQuery(query.case_insensitive === true ? { case_insensitive: true } : {});
            focusPage();
          }}
        >
          {labels.removeAll}
        </Button>
      )}
    </div>
  );
}

function ListChip({ words, onRemove }: { words: readonly Word[]; onRemove: () => void }) {
  return (
    <li className="max-w-full">
      <Chip name={textOfWords(words)} onRemove={onRemove}>
        <Words words={words} />
      </Chip>
    </li>
  );
}

interface FilterChipProps {
  explorer: Explorer;
  index: number;
  text: string;
  onRemove: () => void;
}

function FilterChip({ explorer, index, text, onRemove }: FilterChipProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { access, query, onQuery } = explorer;
  const filter = readTagFilter(text);
  const isFaulty = faultOfFilter(filter) !== undefined;
  const words: readonly Word[] = isFaulty
    ? ['not understood: ', { value: text }]
    : wordsOfFilter(filter);
  const close = (): void => setIsOpen(false);
  return (
    <li className="max-w-full">
      <Popover
        isOpen={isOpen}
        onClose={close}
        label={labels.editCondition}
        anchor={
          <Chip
            name={textOfWords(words)}
            isFaulty={isFaulty}
            onEdit={() => setIsOpen(!isOpen)}
            onRemove={onRemove}
          >
            <Words words={words} />
          </Chip>
        }
      >
        <ConditionForm
          accountId={access.accountId}
          stored={filter}
          onCancel={close}
          onSave={(changed) => {
            close();
            onQuery(replaceFilter(query, index, changed));
          }}
        />
      </Popover>
    </li>
  );
}
