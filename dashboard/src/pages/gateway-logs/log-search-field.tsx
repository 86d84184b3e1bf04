import { useFollowedText } from '../../lib/use-followed-text.ts';
import { SearchInput } from '../../ui/field.tsx';
import { labels } from './labels.ts';
import { type LogSearch, changed } from './log-search.ts';

/** As much as the API takes. */
const MAX_LENGTH = 200;

interface LogSearchFieldProps {
  search: LogSearch;
  onSearch: (search: LogSearch, isInPlace?: boolean) => void;
}

/** Looks for a text; what is found follows the typing. */
export function LogSearchField({ search, onSearch }: LogSearchFieldProps) {
  const { q = '' } = search;
  const [typed, setTyped] = useFollowedText(q, (text) => {
    // One step of the way back for all that is typed.
    onSearch(changed(search, { q: text === '' ? undefined : text }), q !== '' && text !== '');
  });
  return (
    <SearchInput
      label={labels.searchByModelProviderPath}
      title={labels.findsTextInTheModel}
      maxLength={MAX_LENGTH}
      className="sm:w-auto sm:max-w-none! sm:flex-1 sm:basis-72"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
