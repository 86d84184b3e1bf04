import { useDeferredValue } from 'react';
import { baseUrl } from '../../../lib/site.ts';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/page.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { messagesOf } from './conversation.ts';
import { labels } from './labels.ts';
import { commandOf } from './request-draft.ts';
import type { PlaygroundUse } from './use-playground.ts';

const MAX_SHOWN_LENGTH = 20_000;
const EXAMPLE = 'Hello';

/** The request that the next message makes, or with none the last one, as a command. */
export function CommandCard({ playground }: { playground: PlaygroundUse }) {
  const { access, gateway } = useGatewayOfPage();
  const { draft, exchanges, question } = useDeferredValue(playground);
  const last = exchanges.at(-1);
  const messages =
    question.trim() === ''
      ? messagesOf(draft.system, exchanges.slice(0, -1), last?.question ?? EXAMPLE)
      : messagesOf(draft.system, exchanges, question);
  const command = commandOf(draft, {
    rest: `${baseUrl}/accounts/${access.accountId}/ai`,
    gatewayId: gateway.id,
    needsToken: gateway.authentication,
    messages,
  });
  return (
    <Card title="curl command">
      {command.length > MAX_SHOWN_LENGTH ? (
        <p className="text-[0.9375rem] text-muted">{labels.theConversationIsTooLong}</p>
      ) : (
        <div className="space-y-2">
          <CodeBlock label="command" text={command} />
          <p className="text-sm text-muted">
            {gateway.authentication ? (
              <>
                <code className="font-mono">{TOKEN_VARIABLE}</code> is an API token with AI Gateway
                Run for this gateway. The playground uses your session instead.
              </>
            ) : (
              labels.thisGatewayIsOpenWithout
            )}
          </p>
        </div>
      )}
    </Card>
  );
}
