import type { LogDetails } from '../../../api/gateway-log.ts';
import { formatBytes } from '../../../lib/figures.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, StackedFact, StackedFacts } from '../../../ui/page.tsx';
import { LogCaller } from './log-caller.tsx';

/** Ways into the gateway, as the log calls them. */
const WAYS: Readonly<Record<string, string>> = {
  rest: 'REST API',
  compat: 'OpenAI-compatible',
  native: "Provider's own path",
  run: 'Run a model',
  universal: 'Universal',
};

/** All else that the log tells: who called, by which way, and the names of it all. */
export function LogFacts({ log }: { log: LogDetails }) {
  const { request_type: way, step, attempts, event_id: eventId } = log;
  return (
    <Card title="Details">
      <StackedFacts>
        <StackedFact name="Caller">
          <LogCaller log={log} />
        </StackedFact>
        <StackedFact name="Way in">
          {WAYS[way] ?? way}
          {way === 'universal' && `, step ${step}`}
        </StackedFact>
        <StackedFact name="Path">
          <span className="font-mono text-sm">{log.path === '' ? '/' : log.path}</span>
        </StackedFact>
        <StackedFact name="Provider">
          <bdi>{log.provider}</bdi>
          {attempts > 1 && <span className="text-muted">, called {attempts} times</span>}
        </StackedFact>
        <StackedFact name="Model">
          {log.model === '' ? (
            <span className="text-muted">Not named</span>
          ) : (
            <bdi>{log.model}</bdi>
          )}
          {log.model_type !== null && <span className="text-muted">, {log.model_type}</span>}
        </StackedFact>
        <StackedFact name="Sizes">{sizesOf(log)}</StackedFact>
        <StackedFact name="Log ID">
          <CopyText text={log.id} label="Copy log ID" />
        </StackedFact>
        {eventId !== null && (
          <StackedFact name="Event ID">
            <CopyText text={eventId} label="Copy event ID" />
          </StackedFact>
        )}
      </StackedFacts>
    </Card>
  );
}

function sizesOf({ request_size: asked, response_size: answered }: LogDetails): string {
  if (asked === null || answered === null) return 'Not kept';
  return `${formatBytes(asked)} asked, ${formatBytes(answered)} answered`;
}
