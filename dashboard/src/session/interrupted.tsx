import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { userQuery } from '../api/people.ts';
import { ConfirmationDialog } from './confirmation-dialog.tsx';
import { interruptions } from './interruptions.ts';
import { watchSession } from './presence.ts';
import { SignInDialog } from './sign-in-dialog.tsx';

/** Asks the person what requests wait for, over whatever is open. */
export function Interrupted() {
  // As the pages have read it: this one asks for nothing.
  const { data: user } = useQuery({ ...userQuery, enabled: false });
  const interruption = useSyncExternalStore(interruptions.subscribe, () => interruptions.current);
  useEffect(watchSession, []);
  if (user === undefined || interruption === undefined) return null;
  if (interruption.kind === 'confirmation') return <ConfirmationDialog user={user} />;
  const otherEmail = interruption.kind === 'other-person' ? interruption.email : undefined;
  return <SignInDialog user={user} otherEmail={otherEmail} />;
}
