import { Plus } from '../../../ui/icons.tsx';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/field.tsx';
import { labels } from '../labels.ts';
import type { DraftRow } from './tag-draft.ts';
import { isTouched } from './tag-draft.ts';
import { TagRow } from './tag-row.tsx';
import type { TagEditorState } from './use-tag-editor.ts';

// From so many on one looks for a tag rather than at all of them.
const FEW = 25;
const SHOWN = 100;

interface TagRowsProps {
  accountId: string;
  editor: TagEditorState;
  /** Whether it was tried to save them. */
  isChecked: boolean;
}

/** All tags of a resource as fields. */
export function TagRows({ accountId, editor, isChecked }: TagRowsProps) {
  const { rows, faults, dispatch } = editor;
  const list = useRef<HTMLUListElement>(null);
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  const found = rows.filter((row) => isShown(row, search));
  const shown = found.filter((row, index) => index < limit || isOpen(row));
  const toggle = (row: DraftRow): void => {
    const place = shown.indexOf(row);
    dispatch({ do: 'toggle', id: row.id });
    // The button that had the focus is another one now, or gone.
    focusLater(list.current, row.stored === undefined ? Math.max(0, place - 1) : place);
  };
  return (
    <div className="space-y-2">
      {rows.length > FEW && (
        <div className="px-3">
          <SearchInput
            label={labels.searchTheseTags}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      )}
      <ul ref={list} aria-label={labels.tags} className="space-y-3 sm:space-y-0.5">
        {shown.map((row) => (
          <TagRow
            key={row.id}
            accountId={accountId}
            row={row}
            place={rows.indexOf(row) + 1}
            faults={faults.get(row.id)}
            isChecked={isChecked}
            onWrite={(part, text) => dispatch({ do: 'write', id: row.id, part, text })}
            onToggle={() => toggle(row)}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2 px-3">
        <Button
          isSmall
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => {
            dispatch({ do: 'add' });
            setTimeout(() =>
              list.current?.querySelector<HTMLElement>('li:last-child input')?.focus(),
            );
          }}
        >
          {labels.addTag}
        </Button>
        {shown.length < found.length && (
          <Button isSmall look="quiet" onClick={() => setLimit(limit + SHOWN)}>
            {labels.showMoreOf(found.length.toLocaleString('en'))}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What is written is never out of sight. */
function isOpen(row: DraftRow): boolean {
  return row.stored === undefined || isTouched(row);
}

function isShown(row: DraftRow, search: string): boolean {
  const wanted = search.toLowerCase();
  const isFound = `${row.key}=${row.value}`.toLowerCase().includes(wanted);
  return isFound || isOpen(row);
}

/** Once React has drawn the rows anew. */
function focusLater(list: HTMLElement | null, place: number): void {
  setTimeout(() => {
    const row = list?.children[place] ?? list?.lastElementChild;
    const buttons = row?.querySelectorAll('button');
    buttons?.[buttons.length - 1]?.focus();
  });
}
