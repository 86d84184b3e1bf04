import { useFollowedText } from '../../../lib/use-followed-text.ts';
import { SearchInput } from '../../../ui/field.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';

/** Narrows to resources with a text in their name, a moment after it is typed. */
export function NameSearch({ explorer }: { explorer: Explorer }) {
  const { query, onQuery } = explorer;
  const { name: before, ...others } = query;
  const [typed, setTyped] = useFollowedText(before ?? '', (name) => {
    // The way back leads to before it was typed, not through each of its letters.
    onQuery(name === '' ? others : { ...others, name }, before !== undefined);
  });
  return (
    <SearchInput
      label={labels.searchByName}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
