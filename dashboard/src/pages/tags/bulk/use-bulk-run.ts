import { useCallback, useEffect, useRef, useState } from 'react';
import { refreshTags } from '../../../api/resource-tags.ts';
import { type BulkJob, type BulkProgress, beginBulk, prepareBulk, sendPart } from './bulk-parts.ts';

/** How a job stands. */
export type RunStatus = 'running' | 'stopping' | 'stopped' | 'failed' | 'finished';

/** A job under way. */
export interface BulkRun {
  job: BulkJob;
  progress: BulkProgress;
  status: RunStatus;
  /** Why it failed. */
  error: unknown;
}

/** What carries a job out, one request after another. */
export interface BulkRunner {
  /** Undefined before the first job. */
  run: BulkRun | undefined;
  start: (job: BulkJob) => void;
  /** After the request that is under way: what was sent is done. */
  stop: () => void;
  /** Goes on where it stopped or failed. */
  resume: () => void;
  /** Forgets the job. */
  clear: () => void;
}

/** Carries out bulk changes, and tells how far they have come. */
export function useBulkRun(): BulkRunner {
  const [run, setRun] = useState<BulkRun>();
  const control = useRef<{ abort: AbortController; isStopped: boolean }>(undefined);
  const cancel = useCallback((): void => {
    if (control.current === undefined) return;
    control.current.isStopped = true;
    control.current.abort.abort();
    control.current = undefined;
  }, []);
  useEffect(() => cancel, [cancel]);
  const carryOut = async (job: BulkJob, from: BulkProgress): Promise<void> => {
    cancel();
    const own = { abort: new AbortController(), isStopped: false };
    control.current = own;
    let progress = from;
    const show = (status: RunStatus, error?: unknown): void => {
      // What was started after it is shown instead.
      if (control.current === own) setRun({ job, progress, status, error });
    };
    show('running');
    try {
      while (progress.position !== undefined && !own.isStopped) {
        progress = await prepareBulk(job, progress, own.abort.signal);
        if (own.isStopped) break;
        progress = await sendPart(job, progress, own.abort.signal);
        if (!own.isStopped) show('running');
      }
      show(progress.position === undefined ? 'finished' : 'stopped');
    } catch (error) {
      show(own.isStopped ? 'stopped' : 'failed', error);
    }
    if (!job.isDry) void refreshTags(job.accountId);
  };
  return {
    run,
    start: (job) => void carryOut(job, beginBulk(job)),
    stop() {
      if (control.current === undefined || run === undefined) return;
      control.current.isStopped = true;
      // A trial leaves nothing behind. What writes comes to its end, so that one knows what was done.
      if (run.job.isDry) control.current.abort.abort();
      setRun({ ...run, status: 'stopping' });
    },
    resume() {
      if (run !== undefined) void carryOut(run.job, run.progress);
    },
    clear() {
      cancel();
      setRun(undefined);
    },
  };
}
