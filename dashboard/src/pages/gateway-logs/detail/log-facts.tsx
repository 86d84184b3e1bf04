import type { LogDetails } from '../../../api/gateway-log.ts';
import { formatBytes } from '../../../lib/figures.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, StackedFact, StackedFacts } from '../../../ui/page.tsx';
import { labels } from '../labels.ts';
import { LogCaller } from './log-caller.tsx';

/** Ways into the gateway, as the log calls them. */
const WAYS: Readonly<Record<string, string>> = {
  rest: labels.restApi,
  compat: labels.openaiCompatible,
  native: labels.providerPath,
  run: labels.runModel,
  universal: labels.universal,
};

/** All else that the log tells: who called, by which way, and the names of it all. */
export function LogFacts({ log }: { log: LogDetails }) {
  const { request_type: way, step, attempts, event_id: eventId } = log;
  return (
    <Card title={labels.details}>
      <StackedFacts>
        <StackedFact name={labels.client}>
          <LogCaller log={log} />
        </StackedFact>
        <StackedFact name={labels.api}>
          {WAYS[way] ?? way}
          {way === 'universal' && `, step ${step}`}
        </StackedFact>
        <StackedFact name={labels.path}>
          <span className="font-mono text-sm">{log.path === '' ? '/' : log.path}</span>
        </StackedFact>
        <StackedFact name={labels.provider}>
          <bdi>{log.provider}</bdi>
          {attempts > 1 && <span className="text-muted">, called {attempts} times</span>}
        </StackedFact>
        <StackedFact name={labels.model}>
          {log.model === '' ? (
            <span className="text-muted">{labels.unknown}</span>
          ) : (
            <bdi>{log.model}</bdi>
          )}
          {log.model_type !== undefined && <span className="text-muted">, {log.model_type}</span>}
        </StackedFact>
        <StackedFact name={labels.sizes}>{sizesOf(log)}</StackedFact>
        <StackedFact name={labels.logId}>
          <CopyText text={log.id} label={labels.copyLogId} />
        </StackedFact>
        {eventId !== null && (
          <StackedFact name={labels.eventId}>
            <CopyText text={eventId} label={labels.copyEventId} />
          </StackedFact>
        )}
      </StackedFacts>
    </Card>
  );
}

function sizesOf({ request_size: asked, response_size: answered }: LogDetails): string {
  if (asked === undefined || answered === undefined) return labels.bodyNotLogged;
  return labels.requestResponse(formatBytes(asked), formatBytes(answered));
}
