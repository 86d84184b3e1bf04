import { SendHorizontal, Square } from '../../../ui/icons.tsx';
import { type KeyboardEvent, useId } from 'react';
import { isApple } from '../../../lib/apple.ts';
import { Button } from '../../../ui/button.tsx';
import { Textarea } from '../../../ui/field.tsx';
import { labels } from './labels.ts';
import type { PlaygroundUse } from './use-playground.ts';

const MAX_QUESTION_LENGTH = 500_000;

interface ComposerProps {
  playground: PlaygroundUse;
  /** Whether the person may run models. */
  canSend: boolean;
}

/** Where the next message is written. */
export function Composer({ playground, canSend }: ComposerProps) {
  const { question, setQuestion, send, stop, isRunning, refusal } = playground;
  const id = useId();
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (canSend) send();
  };
  return (
    <form
      className="w-full space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        aria-label={labels.message}
        placeholder={labels.writeAMessage}
        rows={3}
        maxLength={MAX_QUESTION_LENGTH}
        aria-describedby={refusal === undefined ? undefined : id}
        aria-invalid={refusal === undefined ? undefined : true}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
        onKeyDown={handleKey}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted">
          {refusal === undefined ? (
            <>
              Press <kbd className="font-sans">{isApple ? '⌘+Enter' : labels.ctrlEnter}</kbd> to
              send.
            </>
          ) : (
            <span id={id} role="alert" className="text-danger">
              {refusal}
            </span>
          )}
        </p>
        {/* One button, so that the focus stays where it is. */}
        <Button
          look={isRunning ? 'plain' : 'primary'}
          type={isRunning ? 'button' : 'submit'}
          disabled={!canSend}
          onClick={isRunning ? stop : undefined}
          icon={
            isRunning ? (
              <Square aria-hidden className="size-3.5 fill-current" />
            ) : (
              <SendHorizontal aria-hidden className="size-4" />
            )
          }
        >
          {isRunning ? labels.stop : labels.send}
        </Button>
      </div>
    </form>
  );
}
