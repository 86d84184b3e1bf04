import { useMemo } from 'react';
import type { LogDetails, WhichLog } from '../../../api/gateway-log.ts';
import {
  type GatewayCommand,
  PROVIDER_KEY_VARIABLE,
  gatewayCommand,
} from '../../../lib/gateway-command.ts';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { baseUrl, gatewayUrl } from '../../../lib/site.ts';
import { CodeBlock, CopyButton } from '../../../ui/copy.tsx';
import { labels } from '../labels.ts';
import { Completeness, absence } from './body-view.tsx';
import { formatCount } from '../../../lib/figures.ts';
import type { Body } from './use-body.ts';

interface CommandViewProps {
  which: WhichLog;
  log: LogDetails;
  request: Body;
  response: Body;
}

/** The command that sends the request once more. */
export function CommandView({ which, log, request, response }: CommandViewProps) {
  const { kind, isLoaded, text } = request;
  const { accountId, gatewayId } = which;
  const made = useMemo(() => {
    if (!isLoaded || kind === 'none' || kind === 'size') return undefined;
    const sent = { accountId, gatewayId, log, body: text, answer: response.text };
    return gatewayCommand(sent, { baseUrl, gatewayUrl });
  }, [accountId, gatewayId, log, isLoaded, kind, text, response.text]);
  if (made !== undefined) return <Command made={made} />;
  if (!isLoaded) return <Completeness body={request} />;
  return (
    <p className="text-[0.9375rem] text-muted">
      The request can't be sent again. {absence(request)}
    </p>
  );
}

const SHOWN_LETTERS = 20_000;

function Command({ made }: { made: GatewayCommand }) {
  const { command, needsProviderKey, notes } = made;
  const isLong = command.length > SHOWN_LETTERS;
  return (
    <div className="space-y-3">
      <p className="max-w-prose text-[0.9375rem]">
        Sends the same request through this gateway again. Set the variable{' '}
        <code className="font-mono text-sm">{TOKEN_VARIABLE}</code> to a token with permission to
        run requests
        {needsProviderKey && (
          <>
            , and the variable <code className="font-mono text-sm">{PROVIDER_KEY_VARIABLE}</code> to
            the provider key that the client sent
          </>
        )}
        . The request is logged and charged like any other.
      </p>
      {notes.length > 0 && (
        <ul className="list-disc space-y-1 pl-5 text-sm text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {isLong ? (
        <p className="flex items-center gap-2 rounded-lg border border-line px-3 py-2 text-sm">
          A command of {formatCount(command.length)} characters, too long to be shown.
          <CopyButton text={command} label={labels.copyCommand} />
        </p>
      ) : (
        <CodeBlock label="command" text={command} />
      )}
    </div>
  );
}
