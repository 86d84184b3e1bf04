import { Link } from '@tanstack/react-router';
import { RotateCw } from '../../../ui/icons.tsx';
import { memo } from 'react';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import type { Answer, Exchange } from './conversation.ts';
import type { Fault } from './fault.ts';
import { labels } from './labels.ts';

interface ExchangeItemProps {
  exchange: Exchange;
  /** Asks it again; the last one alone has it. */
  onRetry: (() => void) | undefined;
}

/** A question, and its answer as far as it has come. Those before it are not drawn with each word of it. */
export const ExchangeItem = memo(function ExchangeItem({
  exchange: { question, answer },
  onRetry,
}: ExchangeItemProps) {
  const { state, text, fault } = answer;
  const isOver = state !== 'coming';
  return (
    <li className="space-y-3">
      <div className="ml-auto w-fit max-w-[85%] rounded-lg bg-accent-soft px-3.5 py-2.5">
        <h3 className="sr-only">{labels.you}</h3>
        <p className="text-[0.9375rem] whitespace-pre-wrap wrap-anywhere">
          <bdi>{question}</bdi>
        </p>
      </div>
      <div className="space-y-2.5" aria-busy={!isOver}>
        <h3 className="sr-only">{labels.response}</h3>
        <Thoughts answer={answer} />
        {text !== '' && (
          <p className="text-[0.9375rem] leading-relaxed whitespace-pre-wrap wrap-anywhere">
            <bdi>{text}</bdi>
          </p>
        )}
        {!isOver && <Coming hasText={text !== ''} />}
        {isOver && text === '' && fault === undefined && (
          <p className="text-[0.9375rem] text-muted">{labels.emptyResponse}</p>
        )}
        <CutShort answer={answer} />
        {fault !== undefined && <FaultShown fault={fault} />}
        {isOver && (
          <AnswerFacts answer={answer}>
            <span className="-mx-1 inline-flex items-center gap-1">
              {text !== '' && <CopyButton text={text} label={labels.copyResponse} />}
              {onRetry !== undefined && (
                <Button
                  isSmall
                  look="quiet"
                  icon={<RotateCw aria-hidden className="size-3.5" />}
                  onClick={onRetry}
                >
                  {labels.retry}
                </Button>
              )}
            </span>
          </AnswerFacts>
        )}
      </div>
    </li>
  );
});

function Coming({ hasText }: { hasText: boolean }) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className="size-2 animate-pulse rounded-full bg-accent" />
      {hasText ? labels.receiving : labels.waitingForTheFirstToken}
    </p>
  );
}

/** What the model tells of how it came to its answer. */
function Thoughts({ answer: { thoughts } }: { answer: Answer }) {
  if (thoughts === '') return null;
  return (
    <details className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm text-muted">
      <summary>{labels.modelReasoning}</summary>
      <p className="mt-2 whitespace-pre-wrap wrap-anywhere">
        <bdi>{thoughts}</bdi>
      </p>
    </details>
  );
}

const CUT_SHORT: Readonly<Record<string, string>> = {
  length: labels.theResponseEndsHereBecause,
  content_filter: labels.theProviderWithheldTheRest,
};

function CutShort({ answer: { finish = '' } }: { answer: Answer }) {
  const why = CUT_SHORT[finish];
  return why === undefined ? null : <p className="text-sm text-warning">{why}</p>;
}

function FaultShown({ fault: { title, message, advice, page, raw } }: { fault: Fault }) {
  return (
    <Callout tone="danger" title={title}>
      <p>
        <bdi>{message}</bdi>
      </p>
      {advice !== undefined && (
        <p className="mt-1">
          {advice} {page !== undefined && <WhereToHelp page={page} />}
        </p>
      )}
      {raw !== undefined && (
        <details className="mt-2 text-sm">
          <summary>{labels.completeResponse}</summary>
          <pre
            role="region"
            aria-label={labels.completeResponse}
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls (WCAG 2.1.1)
            tabIndex={0}
            className="mt-2 max-h-60 overflow-auto font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere"
          >
            {raw}
          </pre>
        </details>
      )}
    </Callout>
  );
}

function WhereToHelp({ page }: { page: 'keys' | 'settings' }) {
  const { access, gateway } = useGatewayOfPage();
  return (
    <Link
      to={`/accounts/$accountId/ai-gateway/gateways/$gatewayId/${page}`}
      params={{ accountId: access.accountId, gatewayId: gateway.id }}
      className="underline"
    >
      {page === 'keys' ? labels.keysOfTheGateway : labels.settingsOfTheGateway}
    </Link>
  );
}
