import type { LogDetails } from '../../../api/gateway-log.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Time } from '../../../ui/time.tsx';
import { labels } from '../labels.ts';
import { statusTone } from '../log-cells.tsx';

/** Status of a request whose caller left before the end. */
export const CALLER_LEFT = 499;

/** How a status is told: in a few words where the number says too little. */
export function statusWords(status: number): string {
  if (status === CALLER_LEFT) return '499 Client disconnected';
  if (status === 429) return '429 Too many requests';
  return status === 504 ? '504 Timed out' : String(status);
}

/** What was asked, for the title: the model, or the path where none is known. */
export function LogTitle({ log }: { log: LogDetails }) {
  const { model, path } = log;
  return <bdi>{model === '' ? path : model}</bdi>;
}

// Which of two came first may be a matter of milliseconds.
const exactTime = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});

/** How it ended, who answered, and when it came in. */
export function LogLead({ log }: { log: LogDetails }) {
  const { provider, created_at: createdAt, cached } = log;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
      <Badge tone={statusTone(log)}>{statusWords(log.status_code)}</Badge>
      {cached && <Badge tone="info">{labels.fromTheCache}</Badge>}
      <bdi className="wrap-anywhere">{provider}</bdi>
      <span aria-hidden className="max-sm:hidden">
        ·
      </span>
      <span>
        {exactTime.format(new Date(createdAt))} (<Time value={createdAt} />)
      </span>
    </div>
  );
}
