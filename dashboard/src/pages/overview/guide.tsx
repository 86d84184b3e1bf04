import { clsx } from 'clsx';
import { Circle, CircleCheck, X } from '../../ui/icons.tsx';
import { useAccountOfPage } from '../../api/accounts.ts';
import { IconButton, LinkButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import type { StepState } from './first-steps.ts';
import { labels } from './labels.ts';

interface GuideProps {
  steps: readonly StepState[];
  onDismiss: () => void;
}

/** What a new account needs, and what of it is done. */
export function Guide({ steps, onDismiss }: GuideProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card
      title={labels.firstSteps}
      lead={labels.ofDone(done, steps.length)}
      actions={
        <IconButton
          label={labels.dismissFirstSteps}
          icon={<X aria-hidden className="size-5" />}
          onClick={onDismiss}
        />
      }
      isFlush
    >
      <ol className="divide-y divide-line border-t border-line">
        {steps.map((state) => (
          <Step key={state.step.title} state={state} isNext={state === next} />
        ))}
      </ol>
    </Card>
  );
}

function Step({ state, isNext }: { state: StepState; isNext: boolean }) {
  const { accountId } = useAccountOfPage();
  const { step, isDone } = state;
  const { title, text, to, search, label, command } = step;
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex gap-3 px-5 py-4">
      <Icon
        aria-hidden
        className={clsx('mt-0.5 size-5 shrink-0', isDone ? 'text-accent' : 'text-muted')}
      />
      <div className="min-w-0 flex-1 space-y-3">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h3 className="font-medium">
              {title}
              {isDone && <span className="font-normal text-muted">{labels.done}</span>}
            </h3>
            {!isDone && <p className="mt-0.5 max-w-prose text-[0.9375rem] text-muted">{text}</p>}
          </div>
          {!isDone && (
            <LinkButton
              to={to}
              params={{ accountId }}
              {...(search && { search })}
              look={isNext ? 'primary' : 'plain'}
              isSmall
            >
              {label}
            </LinkButton>
          )}
        </div>
        {!isDone && command !== undefined && (
          <CodeBlock text={command(accountId)} label={labels.commandToTryAnApi} />
        )}
      </div>
    </li>
  );
}
