import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCost, formatCount, formatDuration } from '../../../lib/figures.ts';
import { Badge } from '../../../ui/badge.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import type { Answer } from './conversation.ts';
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
  const hasCost = row !== undefined && (row.cost !== null || state === 'whole');
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      {isCached === true && <Badge tone="info">From the cache</Badge>}
      {state === 'stopped' && <Badge>Stopped</Badge>}
      <dl className="contents">
        {firstMs !== undefined && <Fact name="First token">{formatDuration(firstMs)}</Fact>}
        {durationMs !== undefined && <Fact name="Duration">{formatDuration(durationMs)}</Fact>}
        {tokensIn !== undefined && <Fact name="Tokens in">{formatCount(tokensIn)}</Fact>}
        {tokensOut !== undefined && <Fact name="Tokens out">{formatCount(tokensOut)}</Fact>}
        {hasCost && (
          <Fact name="Cost">{row.cost === null ? 'not known' : formatCost(row.cost)}</Fact>
        )}
      </dl>
      {logId !== undefined && state !== 'coming' && (
        <Link
          to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs"
          params={called}
          search={{ log: logId }}
          className="underline hover:text-text"
        >
          Log entry
        </Link>
      )}
      {children}
    </div>
  );
}
