import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from '../../../ui/icons.tsx';
import type { ReactNode } from 'react';
import { callersQuery, isMadeFor, runTokensQuery } from '../../../api/gateway-activity.ts';
import { formatCount } from '../../../lib/figures.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/page.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { SEARCH_UNKNOWN, partOfRequests } from '../token/caller-words.ts';
import { AuthenticationSwitch } from '../token/authentication-switch.tsx';
import { CreateToken } from '../token/gateway-token.tsx';
import { TokenCount } from './authentication-card.tsx';
import { labels } from './labels.ts';

/** The way to a gateway that only callers with a token can use, in the order that breaks nothing. */
export function SafeSteps({ onCreateToken }: { onCreateToken: () => void }) {
  const { access, gateway } = useGatewayOfPage();
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  const { data: tokens } = useQuery({
    ...runTokensQuery(place),
    enabled: access.can('api-tokens.read'),
  });
  const { data: callers } = useQuery(callersQuery(place));
  const hasToken = tokens?.some((token) => isMadeFor(token, gateway.id)) === true;
  const isSent = callers !== undefined && callers.requests > 0 && callers.unknown === 0;
  return (
    <Card title={labels.secureThisGateway} lead={labels.anyClientThatCanReach}>
      <ReadOnly access={access} permission="ai-gateway.write" deed="change authentication" />
      <ol className="mt-1 divide-y divide-line">
        <Step
          number={1}
          title={labels.createAnAuthenticationToken}
          isDone={hasToken}
          action={<CreateToken look={hasToken ? 'plain' : 'primary'} onClick={onCreateToken} />}
        >
          <p>{labels.theTokenCanOnlyRun}</p>
          <TokenCount />
          {access.can('ai-gateway.write') && (
            <ReadOnly access={access} permission="api-tokens.write" deed="create tokens" />
          )}
        </Step>
        <Step number={2} title={labels.sendTheTokenWithEach} isDone={isSent}>
          <p>
            Use <code className="font-mono text-sm">{labels.authorizationBearer}</code> on the REST
            API and <code className="font-mono text-sm">cf-aig-authorization: Bearer …</code> on the
            gateway host.
          </p>
          <Sent />
        </Step>
        <Step
          number={3}
          title={labels.turnOnAuthenticatedGateway}
          isDone={false}
          action={<AuthenticationSwitch look={hasToken && isSent ? 'primary' : 'plain'} />}
        >
          <p>{labels.requestsWithoutAValidToken}</p>
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function Step({ number, title, isDone, action, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4 last:pb-1">
      <span
        aria-hidden
        className={clsx(
          'grid size-7 shrink-0 place-items-center rounded-full border text-sm font-semibold tabular-nums',
          isDone ? 'border-accent-line bg-accent-soft text-accent' : 'border-line bg-sunken',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-64 space-y-1 text-[0.9375rem] text-muted">
        <h3 className="flex flex-wrap items-center gap-2 font-medium text-text">
          {title}
          {isDone && <Badge tone="good">{labels.done}</Badge>}
        </h3>
        {children}
      </div>
      {action}
    </li>
  );
}

/** How many requests carried a token lately. */
function Sent() {
  const { access, gateway } = useGatewayOfPage();
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  const { data: callers } = useQuery(callersQuery(place));
  if (callers === undefined) return null;
  const { requests, unknown } = callers;
  if (requests === 0) {
    return (
      <p className="text-text">
        {gateway.collect_logs ? labels.noRequestsInTheLast : labels.logsAreDisabledSoRequests}
      </p>
    );
  }
  return (
    <p className="text-text">
      {partOfRequests(requests - unknown, callers)} of the last 24 hours had a valid token
      {unknown === 0 ? '.' : `, ${formatCount(unknown)} did not. `}
      {unknown > 0 && (
        <Link
          to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/logs"
          params={place}
          search={SEARCH_UNKNOWN}
          className="underline"
        >
          {labels.showRequests}
        </Link>
      )}
    </p>
  );
}
