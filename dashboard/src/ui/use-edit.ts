import { useState } from 'react';
import { Edit } from '../api/edit.ts';

/** An edit of a record that begins when the form is opened, see {@link Edit}. */
export function useEdit<R extends object>(
  ...[record, read]: ConstructorParameters<typeof Edit<R>>
): Edit<R> {
  const [edit] = useState(() => new Edit(record, read));
  return edit;
}
