import { MessagesSquare } from '../../../ui/icons.tsx';
import { useEffect, useRef } from 'react';
import { focusPage } from '../../../lib/focus-page.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Composer } from './composer.tsx';
import type { Exchange } from './conversation.ts';
import { ExchangeItem } from './exchange-item.tsx';
import { labels } from './labels.ts';
import type { PlaygroundUse } from './use-playground.ts';

interface ConversationCardProps {
  playground: PlaygroundUse;
  /** Whether the person may run models. */
  canSend: boolean;
}

/** What was said, and where the next message is written. */
export function ConversationCard({ playground, canSend }: ConversationCardProps) {
  const { exchanges, isRunning, retry, clear } = playground;
  return (
    <Card
      title={labels.conversation}
      actions={
        exchanges.length > 0 && (
          <Button
            isSmall
            onClick={() => {
              // The button goes, and would take the focus along.
              focusPage();
              clear();
            }}
          >
            {labels.clear}
          </Button>
        )
      }
      footer={<Composer playground={playground} canSend={canSend} />}
      isFlush
    >
      {exchanges.length === 0 ? (
        <Empty icon={<MessagesSquare />} title={labels.noMessagesYet}>
          {labels.requestsGoThroughThisGateway}
        </Empty>
      ) : (
        <Exchanges exchanges={exchanges} onRetry={canSend && !isRunning ? retry : undefined} />
      )}
      <p role="status" className="sr-only">
        {toldOf(exchanges.at(-1))}
      </p>
    </Card>
  );
}

// Enough to hear whether it is worth reading.
const MAX_TOLD_LENGTH = 500;

/** What screen readers tell: not each word, but the answer when it is there. */
function toldOf(last: Exchange | undefined): string {
  if (last === undefined) return '';
  const { state, text, fault } = last.answer;
  if (state === 'coming') return labels.waitingForTheResponse;
  if (fault !== undefined) return `${fault.title}. ${fault.message}`;
  const told = text.length > MAX_TOLD_LENGTH ? `${text.slice(0, MAX_TOLD_LENGTH)}…` : text;
  return `${state === 'stopped' ? labels.stopped : labels.response}: ${told}`;
}

// Who has gone up to read is left there.
const NEAR_END_PX = 80;

function Exchanges({
  exchanges,
  onRetry,
}: {
  exchanges: readonly Exchange[];
  onRetry: (() => void) | undefined;
}) {
  const [box, list] = [useRef<HTMLDivElement>(null), useRef<HTMLOListElement>(null)];
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (list.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (box.current !== null && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
    });
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [box, list]);
  return (
    <div
      ref={box}
      role="region"
      aria-label={labels.messages}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls (WCAG 2.1.1)
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
      className="max-h-[60svh] min-h-40 overflow-y-auto px-5 py-4 -outline-offset-2"
    >
      <ol ref={list} className="space-y-6">
        {exchanges.map((exchange, index) => (
          <ExchangeItem
            key={exchange.id}
            exchange={exchange}
            onRetry={index === exchanges.length - 1 ? onRetry : undefined}
          />
        ))}
      </ol>
    </div>
  );
}
