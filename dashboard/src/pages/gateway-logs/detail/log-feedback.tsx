import { useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ThumbsDown, ThumbsUp } from '../../../ui/icons.tsx';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { describeFailure } from '../../../api/failure.ts';
import {
  type LogAnnotation,
  type LogDetails,
  type WhichLog,
  annotateLog,
  logQuery,
  rememberAnnotation,
  rememberFeedback,
} from '../../../api/gateway-log.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { useApiForm } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { labels } from '../labels.ts';
import { metadataEntries } from './metadata-entries.ts';
import { MetadataForm } from './metadata-form.tsx';

interface LogFeedbackProps {
  which: WhichLog;
  log: LogDetails;
}

/** What somebody thinks of the answer, and what else is written on the log. */
export function LogFeedback({ which, log }: LogFeedbackProps) {
  const access = useAccountOfPage();
  const canWrite = access.can('ai-gateway.write');
  return (
    <Card title={labels.feedback}>
      <div className="space-y-4">
        <Thumbs which={which} log={log} canWrite={canWrite} />
        {(canWrite || log.score !== null) && (
          <Score key={log.score} which={which} log={log} canWrite={canWrite} />
        )}
        <Metadata which={which} log={log} canWrite={canWrite} />
        <ReadOnly access={access} permission="ai-gateway.write" deed={labels.changeLogsAction} />
      </div>
    </Card>
  );
}

interface PartProps extends LogFeedbackProps {
  canWrite: boolean;
}

/** Saves an annotation, and shows it on every page. */
async function save(which: WhichLog, annotation: LogAnnotation): Promise<void> {
  rememberAnnotation(which, await annotateLog(which, annotation));
}

function Thumbs({ which, log, canWrite }: PartProps) {
  const given = log.feedback;
  const { mutate } = useMutation({
    mutationFn: (feedback: -1 | 1 | null) => save(which, { feedback }),
    // It shows at once, and goes back when it could not be saved.
    onMutate: async (feedback) => {
      await queryClient.cancelQueries(logQuery(which));
      rememberFeedback(which, feedback);
      return given;
    },
    onError: (error, _feedback, before) => {
      rememberFeedback(which, before ?? null);
      toast({ tone: 'danger', text: labels.notSaved(describeFailure(error)) });
    },
  });
  const give = (feedback: -1 | 1): void => mutate(given === feedback ? null : feedback);
  return (
    <div role="group" aria-label={labels.wasTheResponseGood} className="flex items-center gap-2">
      <span aria-hidden className="flex-1 text-[0.9375rem]">
        {labels.wasTheResponseGood}
      </span>
      <Thumb
        label={labels.goodResponse}
        isGiven={given === 1}
        isOff={!canWrite}
        onGive={() => give(1)}
      >
        <ThumbsUp aria-hidden className="size-4" />
      </Thumb>
      <Thumb
        label={labels.badResponse}
        isGiven={given === -1}
        isOff={!canWrite}
        onGive={() => give(-1)}
      >
        <ThumbsDown aria-hidden className="size-4" />
      </Thumb>
    </div>
  );
}

interface ThumbProps {
  label: string;
  isGiven: boolean;
  isOff: boolean;
  onGive: () => void;
  children: ReactNode;
}

function Thumb({ label, isGiven, isOff, onGive, children }: ThumbProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isGiven}
      disabled={isOff}
      onClick={onGive}
      className={clsx(
        'inline-flex size-9 items-center justify-center rounded-lg border disabled:cursor-not-allowed',
        isGiven
          ? 'border-accent-line bg-accent-soft text-accent [&_svg]:fill-current'
          : 'border-edge bg-surface text-muted hover:bg-hover hover:text-text disabled:opacity-60',
      )}
    >
      {children}
    </button>
  );
}

/** A number of whoever judges answers. */
function Score({ which, log, canWrite }: PartProps) {
  const form = useApiForm<{ score: string }>({
    values: { score: log.score === null ? '' : String(log.score) },
    isGuarded: false,
    async save({ score }) {
      const number = score.trim() === '' ? null : Number(score.replace(',', '.'));
      await save(which, { score: number });
      toast(number === null ? labels.removedTheScore : labels.savedTheScore);
    },
  });
  const { isDirty, errors } = form.formState;
  return (
    <form onSubmit={form.submit} noValidate className="space-y-2">
      <Field label={labels.score} hint={labels.anyNumberForExample} error={errors.score?.message}>
        <div className="flex gap-2">
          <ScoreInput isOff={!canWrite} {...form.register('score', { validate: numberFault })} />
          {isDirty && (
            <Button type="submit" isBusy={form.isSaving}>
              {labels.save}
            </Button>
          )}
        </div>
      </Field>
      <SaveFailure error={form.failure} />
    </form>
  );
}

function ScoreInput({ isOff, ...rest }: ComponentProps<'input'> & { isOff: boolean }) {
  return <Input {...rest} readOnly={isOff} inputMode="decimal" className="w-28 tabular-nums" />;
}

const MOST = 1_000_000;

function numberFault(text: string): true | string {
  const value = Number(text.trim().replace(',', '.'));
  if (Number.isFinite(value) && Math.abs(value) <= MOST) return true;
  return labels.scoreRange;
}

function Metadata({ which, log, canWrite }: PartProps) {
  const [isEdited, setIsEdited] = useState(false);
  const entries = metadataEntries(log.metadata);
  if (isEdited) {
    return (
      <MetadataForm
        entries={entries}
        onSave={(metadata) => save(which, { metadata })}
        onClose={() => setIsEdited(false)}
      />
    );
  }
  return (
    <section>
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-[0.9375rem] font-medium">{labels.metadata}</h3>
        {canWrite && (
          <Button isSmall look="quiet" onClick={() => setIsEdited(true)}>
            {entries.length === 0 ? labels.add : labels.edit}
            <span className="sr-only"> metadata</span>
          </Button>
        )}
      </div>
      {entries.length === 0 ? (
        <p className="text-sm text-muted">{labels.none}</p>
      ) : (
        <dl className="mt-1 space-y-1 text-sm">
          {entries.map(({ name, value }) => (
            <div key={name} className="flex gap-2">
              <dt className="max-w-[50%] min-w-0 shrink-0 wrap-anywhere text-muted">
                <bdi>{name}</bdi>
              </dt>
              <dd className="min-w-0 flex-1 text-right wrap-anywhere">
                <bdi>{String(value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
