import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isLeavingForGood } from '../session/leaving.ts';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { LeaveQuestion } from './dialog.tsx';

/** What somebody is asked who would leave a value behind that nobody can read again. */
interface Question {
  /** "Leave without the token?" */
  title: string;
  /** What is lost, and how one comes by another. */
  lead: string;
}

interface OnceGuardProps {
  /** Whether the value is somewhere else by now. */
  isKept: boolean;
  question: Question;
}

/** Asks before the page is left, in whatever way, while a value that is shown once is only on it. */
export function OnceGuard({ isKept, question }: OnceGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => !isKept,
    enableBeforeUnload: () => !isKept && !isLeavingForGood(),
    withResolver: true,
  });
  return (
    <LeaveQuestion
      {...question}
      isOpen={status === 'blocked'}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  );
}

interface OnceDialogProps {
  title: string;
  isWide?: boolean;
  question: Question;
  onClose: () => void;
  /** The value; `keep` is to be told when it was copied. */
  children: (keep: () => void) => ReactNode;
}

/** Shows a value this once, and asks before it is closed while that was not copied. */
export function OnceDialog({
  title,
  isWide = false,
  question,
  onClose,
  children,
}: OnceDialogProps) {
  const [isKept, setIsKept] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const close = (): void => (isKept ? onClose() : setIsAsking(true));
  return (
    <>
      <Dialog isOpen onClose={close} title={title} isWide={isWide}>
        {children(() => setIsKept(true))}
        <Actions>
          <Button onClick={close}>Done</Button>
        </Actions>
        {!isAsking && <OnceGuard isKept={isKept} question={question} />}
      </Dialog>
      <LeaveQuestion
        {...question}
        isOpen={isAsking}
        onStay={() => setIsAsking(false)}
        onLeave={onClose}
      />
    </>
  );
}
