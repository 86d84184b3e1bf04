import { clsx } from 'clsx';
import { ArrowUp } from '../../ui/icons.tsx';
import { Switch } from 'radix-ui';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { describeFailure, isFinal } from '../../api/failure.ts';
import { counted } from '../../lib/counted.ts';
import { Button } from '../../ui/button.tsx';
import { labels } from './labels.ts';
import type { Tail } from './use-tail.ts';

interface LiveSwitchProps {
  isOn: boolean;
  /** Why nothing comes at the moment. */
  error: unknown;
  /** Whether what is shown can grow. */
  isPossible: boolean;
  onChange: (isOn: boolean) => void;
}

/** Lets new logs come by themselves; switched off, the list stays as it is. */
export function LiveSwitch({ isOn, error, isPossible, onChange }: LiveSwitchProps) {
  const id = useId();
  const isFailing = isOn && error !== undefined;
  return (
    <div className="mr-2 flex min-h-8 items-center gap-2">
      <Switch.Root
        id={id}
        checked={isOn}
        disabled={!isPossible}
        onCheckedChange={onChange}
        className="relative h-6 w-10 shrink-0 rounded-full border border-field-line bg-sunken disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-4 translate-x-1 rounded-full bg-field-line transition-transform data-[state=checked]:translate-x-5 data-[state=checked]:bg-on-accent" />
      </Switch.Root>
      <label
        htmlFor={id}
        title={isPossible ? labels.newLogsAppearAutomaticallyPause : labels.aRangeWithAFixed}
        className="text-sm font-medium whitespace-nowrap"
      >
        {labels.live}
      </label>
      <span role="status" className={clsx('text-sm', isFailing ? 'text-danger' : 'sr-only')}>
        {isFailing && (isFinal(error) ? describeFailure(error) : labels.noResponseRetrying)}
      </span>
    </div>
  );
}

interface NewcomersProps {
  tail: Tail;
  onShow: () => void;
}

/** What has come, told to screen readers now and then; a button for what waits further up. */
export function Newcomers({ tail, onShow }: NewcomersProps) {
  const { waiting, isMore } = tail;
  return (
    <>
      <Announcement fresh={tail.fresh} />
      {waiting > 0 && (
        <div className="sticky top-16 z-10 -mb-2 flex justify-center lg:top-4">
          <Button
            isSmall
            look="primary"
            icon={<ArrowUp aria-hidden className="size-4" />}
            onClick={onShow}
            className="shadow-float"
          >
            {isMore ? labels.moreThanNew(waiting) : labels.new(waiting)}
          </Button>
        </div>
      )}
    </>
  );
}

// Whoever listens wants to hear something else, too.
const TOLD_EVERY_MS = 10_000;

/** Says how many logs have come since it said so last. */
function Announcement({ fresh }: { fresh: ReadonlySet<string> }) {
  const [text, setText] = useState('');
  const [pending, setPending] = useState(0);
  const [toldMs, setToldMs] = useState(0);
  const [seen, setSeen] = useState(fresh);
  if (seen !== fresh) {
    setSeen(fresh);
    setPending(pending + fresh.size);
  }
  const tell = useEffectEvent(() => {
    setText(counted(pending, 'new log'));
    setPending(0);
    setToldMs(Date.now());
  });
  const isPending = pending > 0;
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => tell(), Math.max(0, toldMs + TOLD_EVERY_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [isPending, toldMs]);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
