import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagTypesQuery } from '../../../api/tags.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { PickList } from '../../../ui/pick-list.tsx';
import { labels } from '../labels.ts';

interface TypeFormProps {
  accountId: string;
  chosen: readonly string[];
  /** Told at once of each change. */
  onChosen: (types: string[]) => void;
  onClose: () => void;
}

const MOST_SHOWN = 80;

/** The types that resources may be of. Any one of them is enough. */
export function TypeForm({ accountId, chosen, onChosen, onClose }: TypeFormProps) {
  const [text, setText] = useState('');
  const { data: types = [] } = useQuery(tagTypesQuery(accountId));
  const fitting = types.filter(({ type }) => type.includes(text.trim().toLowerCase()));
  // What there is comes first.
  const ordered = fitting.toSorted((a, b) => Number(b.count > 0) - Number(a.count > 0));
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <PickList
        label={labels.resourceTypes}
        hint={labels.matchesResourcesOfAny}
        listLabel={labels.typesWithTheirNumber}
        autoFocus
        chosen={chosen}
        onChosen={onChosen}
        text={text}
        onText={setText}
        options={ordered.slice(0, MOST_SHOWN).map(({ type, count }) => ({
          value: type,
          detail: formatCount(count),
        }))}
      />
      <div className="flex justify-end">
        <Button type="submit">{labels.done}</Button>
      </div>
    </form>
  );
}
