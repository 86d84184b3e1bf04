import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

/** What a query has to show: also what it had before, while or where there is nothing new. */
export interface Kept<Data> {
  data: Data | undefined;
  /** When that was read, in milliseconds since 1970. */
  readAtMs: number;
  /** What is shown is not what is asked for now, which is under way. */
  isWaiting: boolean;
  /** Why there is nothing newer; null: nothing has failed. */
  error: unknown;
}

/** Keeps what a query has shown, although what it asks for now has failed. */
export function useKept<Data>({
  data,
  error,
  isPlaceholderData,
  dataUpdatedAt,
}: Pick<
  UseQueryResult<Data>,
  'data' | 'error' | 'isPlaceholderData' | 'dataUpdatedAt'
>): Kept<Data> {
  const [last, setLast] = useState({ data, readAtMs: dataUpdatedAt });
  const isOld = data === undefined || isPlaceholderData;
  const isNew = !isOld && (data !== last.data || dataUpdatedAt !== last.readAtMs);
  if (isNew) setLast({ data, readAtMs: dataUpdatedAt });
  return { ...last, isWaiting: isOld && error === null, error };
}
