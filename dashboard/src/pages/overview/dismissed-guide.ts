import { useState } from 'react';
import { readStored, writeStored } from '../../lib/stored-text.ts';

const keyOf = (accountId: string): string => `latchkey:first-steps-dismissed:${accountId}`;

/** Whether the person wants no guide for an account any more; remembered in this browser. */
export function useDismissedGuide(
  accountId: string,
): [isDismissed: boolean, set: (isDismissed: boolean) => void] {
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({});
  const set = (isDismissed: boolean): void => {
    writeStored('localStorage', keyOf(accountId), isDismissed ? 'yes' : undefined);
    setChanged({ ...changed, [accountId]: isDismissed });
  };
  return [changed[accountId] ?? readStored('localStorage', keyOf(accountId)) !== undefined, set];
}
