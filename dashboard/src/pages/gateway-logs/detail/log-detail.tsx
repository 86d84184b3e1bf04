import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from '../../../ui/icons.tsx';
import { type KeyboardEvent, useState } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { isGone } from '../../../api/failure.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { type LogDetails, type WhichLog, logQuery } from '../../../api/gateway-log.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Drawer } from '../../../ui/drawer.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { labels } from '../labels.ts';
import { DeleteLog } from './delete-log.tsx';
import { LogBodies } from './log-bodies.tsx';
import { LogFacts } from './log-facts.tsx';
import { LogFeedback } from './log-feedback.tsx';
import { LogFigures } from './log-figures.tsx';
import { LogLead, LogTitle } from './log-head.tsx';
import { LogTimings } from './log-timings.tsx';
import { MissingLog } from './missing-log.tsx';

interface LogDetailProps {
  gateway: Gateway;
  /** Undefined: none is open. */
  logId: string | undefined;
  onClose: () => void;
  /** Opens the next one of the list, or the one before. Left out: there is no list to step through. */
  onStep?: (step: 1 | -1) => void;
}

/** One exchange of a gateway with all that the log keeps of it. */
export function LogDetail({ logId, ...props }: LogDetailProps) {
  return logId === undefined ? null : <OpenLog {...props} logId={logId} />;
}

function OpenLog({ gateway, logId, onClose, onStep }: LogDetailProps & { logId: string }) {
  const { accountId } = useAccountOfPage();
  const which: WhichLog = { accountId, gatewayId: gateway.id, logId };
  const { data: log, error, refetch, isPending } = useQuery(logQuery(which));
  // Whoever steps from log to log looks at the same of each.
  const [tab, setTab] = useState<string>();
  const isMissing = isGone(error);
  return (
    <Drawer
      onClose={onClose}
      title={log ? <LogTitle log={log} /> : isMissing ? labels.logNotFound : labels.log}
      lead={log && <LogLead log={log} />}
      actions={onStep && <Steps onStep={onStep} />}
      {...(onStep && { onKeyDown: (event: KeyboardEvent) => stepByKey(event, onStep) })}
      contentKey={logId}
    >
      {isPending && <Pending />}
      {isMissing && <MissingLog gateway={gateway} />}
      {error !== null && !isMissing && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {log && (
        <Content
          which={which}
          gateway={gateway}
          log={log}
          tab={tab}
          onTab={setTab}
          onClose={onClose}
        />
      )}
    </Drawer>
  );
}

interface ContentProps {
  which: WhichLog;
  gateway: Gateway;
  log: LogDetails;
  tab: string | undefined;
  onTab: (tab: string) => void;
  onClose: () => void;
}

function Content({ which, gateway, log, tab, onTab, onClose }: ContentProps) {
  return (
    <div className="space-y-6">
      <LogFigures log={log} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="min-w-0 space-y-6">
          <LogTimings which={which} log={log} />
          <LogBodies which={which} gateway={gateway} log={log} tab={tab} onTab={onTab} />
        </div>
        <div className="min-w-0 space-y-6">
          <LogFeedback which={which} log={log} />
          <LogFacts log={log} />
          <DeleteLog which={which} onDeleted={onClose} />
        </div>
      </div>
    </div>
  );
}

function Steps({ onStep }: { onStep: (step: 1 | -1) => void }) {
  return (
    <>
      <IconButton
        label={labels.previousLogK}
        aria-keyshortcuts="k"
        icon={<ChevronUp aria-hidden className="size-5" />}
        onClick={() => onStep(-1)}
      />
      <IconButton
        label={labels.nextLogJ}
        aria-keyshortcuts="j"
        icon={<ChevronDown aria-hidden className="size-5" />}
        onClick={() => onStep(1)}
      />
    </>
  );
}

/** As in other lists of logs and mails. Where somebody types, letters are letters. */
function stepByKey(event: KeyboardEvent, onStep: (step: 1 | -1) => void): void {
  const { key, target, ctrlKey, metaKey, altKey, currentTarget } = event;
  if (ctrlKey || metaKey || altKey || (key !== 'j' && key !== 'k')) return;
  // What is asked above the drawer is no part of it, but its keys come by here.
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
  if (target.closest('input, textarea, select') !== null) return;
  event.preventDefault();
  onStep(key === 'j' ? 1 : -1);
}

function Pending() {
  return (
    <div role="status" className="appear-late space-y-4">
      <span className="sr-only">{labels.loading}</span>
      <div className="skeleton h-16" />
      <div className="skeleton h-28" />
      <div className="skeleton h-64" />
    </div>
  );
}
