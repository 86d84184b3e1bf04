import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCost, formatCount, formatDuration } from '../../../lib/figures.ts';
import { Badge } from '../../../ui/badge.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import type { Answer } from './conversation.ts';
import { labels } from './labels.ts';
import { loggedExchangeQuery } from './logged-exchange.ts';

interface FactProps {
  name: string;
  children: string;
}

function Fact({ name, children }: FactProps) {
  return (
    <div className="flex gap-1">
      <dt>{name}</dt>
      <dd className="font-medium text-text tabular-nums">{children}</dd>
    </div>
  );
}

interface AnswerFactsProps {
  answer: Answer;
  /** What can be done with it. */
  children: ReactNode;
}

/** What an answer took: time, tokens, money; and where it is in the log. */
export function AnswerFacts({ answer, children }: AnswerFactsProps) {
  const { access, gateway } = useGatewayOfPage();
  const called = { accountId: access.accountId, gatewayId: gateway.id };
  const { firstMs, durationMs, isCached, logId, state } = answer;
  const { data: row } = useQuery({
    ...loggedExchangeQuery(called, logId ?? ''),
    enabled: logId !== undefined && state !== 'coming',
  });
  const tokensIn = row?.tokensIn ?? answer.tokensIn;
  const tokensOut = row?.tokensOut ?? answer.tokensOut;
  const hasCost = row !== undefined && (row.cost !== undefined || state === 'whole');
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      {isCached === true && <Badge tone="info">{labels.fromTheCache}</Badge>}
      {state === 'stopped' && <Badge>{labels.stopped}</Badge>}
      <dl className="contents">
        {firstMs !== undefined && <Fact name={labels.firstToken}>{formatDuration(firstMs)}</Fact>}
        {durationMs !== undefined && (
          <Fact name={labels.duration}>{formatDuration(durationMs)}</Fact>
        )}
        {tokensIn !== undefined && <Fact name={labels.tokensIn}>{formatCount(tokensIn)}</Fact>}
        {tokensOut !== undefined && <Fact name={labels.tokensOut}>{formatCount(tokensOut)}</Fact>}
        {hasCost && (
          <Fact name={labels.cost}>
            {row.cost === undefined ? 'unknown' : formatCost(row.cost)}
          </Fact>
        )}
      </dl>
      {logId !== undefined && state !== 'coming' && (
        <Link
          to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs"
          params={called}
          search={{ log: logId }}
          className="underline hover:text-text"
        >
          {labels.logEntry}
        </Link>
      )}
      {children}
    </div>
  );
}
