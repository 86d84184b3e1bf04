import { useCallback } from 'react';
import type { Access } from '../../api/accounts.ts';
import { useCallerNames } from '../../api/caller-names.ts';
import { wordsOf } from './group-words.ts';
import { LOG_FIELDS } from './logs-link.ts';

/**
 * What the groups of a breakdown are called: tokens, people and applications by their names, where the person
 * may read them and they are still there; all else by its value.
 */
export function useGroupNames(access: Access, by: string): (value: string | null) => string {
  const names = useCallerNames(access, {
    tokens: by === 'token',
    people: by === 'user',
    applications: by === 'oauth_client' || by === 'token',
  });
  return useCallback(
    (value) => {
      if (value === null) return wordsOf(by).none;
      return names.nameOf(LOG_FIELDS[by] ?? '', value) ?? value;
    },
    [by, names],
  );
}
