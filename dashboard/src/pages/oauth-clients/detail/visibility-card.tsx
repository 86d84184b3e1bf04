import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { changeClient } from '../../../api/oauth-client-changes.ts';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Card } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { ClientOfPage } from './client-of-page.ts';
import { labels } from './labels.ts';
import { type Requirement, requirementsOf } from './publicity.ts';
import { VERIFICATION_ID } from './verification-card.tsx';

/** Who may authorize a client. */
export function VisibilityCard(page: ClientOfPage) {
  const { client } = page;
  if (client.visibility === 'private') return <PrivateCard {...page} />;
  return (
    <Card title={labels.visibilityPublic}>
      <div className="space-y-2 text-[0.9375rem]">
        <p>
          Any user of this server can authorize this client. It became public{' '}
          {client.promoted_at !== undefined && <Time value={client.promoted_at} />}. This can't be
          undone.
        </p>
        <p className="text-sm text-muted">{labels.youCanChangeItsLogo}</p>
      </div>
    </Card>
  );
}

function PrivateCard(page: ClientOfPage) {
  const { client, place, mayChange } = page;
  const { data: scopes } = useSuspenseQuery(oauthScopesQuery);
  const permissions = scopes.filter(({ category }) => category !== 'identity');
  const requirements = requirementsOf(client, new Set(permissions.map(({ id }) => id)));
  const missing = requirements.filter(({ isMet }) => !isMet).length;
  return (
    <Card title={labels.visibilityPrivate} lead={labels.onlyMembersOfThisAccount}>
      <p className="text-[0.9375rem] font-medium">
        {missing === 0 ? labels.readyToBecomePublic : labels.requirementsForAPublicClient}
      </p>
      <ul className="mt-2 space-y-2">
        {requirements.map((requirement) => (
          <RequirementLine
            key={requirement.name}
            requirement={requirement}
            place={place}
            mayChange={mayChange}
          />
        ))}
      </ul>
      {mayChange && <Promotion {...page} missing={missing} />}
    </Card>
  );
}

interface RequirementLineProps extends Pick<ClientOfPage, 'place' | 'mayChange'> {
  requirement: Requirement;
}

function RequirementLine({ requirement, place, mayChange }: RequirementLineProps) {
  const { name, isMet, advice } = requirement;
  const Icon = isMet ? CircleCheck : Circle;
  const link = 'text-sm text-accent underline';
  return (
    <li className="flex items-start gap-2 text-[0.9375rem]">
      <Icon
        aria-hidden
        className={`mt-0.5 size-5 shrink-0 ${isMet ? 'text-accent' : 'text-muted'}`}
      />
      <span>
        {name}
        <span className="sr-only">: {isMet ? 'there' : 'missing'}</span>
        {!isMet && mayChange && (
          <>
            {' '}
            {requirement.place === 'verification' ? (
              <a href={`#${VERIFICATION_ID}`} className={link}>
                {advice}
              </a>
            ) : (
              <Link
                to="/accounts/$accountId/oauth-clients/$clientId/edit"
                params={place}
                className={link}
              >
                {advice}
              </Link>
            )}
          </>
        )}
      </span>
    </li>
  );
}

const NOT_READY = 4010;

function Promotion({ client, place, missing }: ClientOfPage & { missing: number }) {
  const [isAsking, setIsAsking] = useState(false);
  const promotion = useMutation({
    mutationFn: () => changeClient(place, { visibility: 'public' }),
    onSuccess: () => toast(labels.isNowPublic(client.client_name)),
  });
  const { error } = promotion;
  const reasons = error instanceof ApiFailure && error.code === NOT_READY ? error.entries : [];
  return (
    <div className="mt-4 space-y-3">
      {reasons.length > 0 && (
        <Callout tone="danger" title={labels.theServerReportsMissingRequirements}>
          <ul className="list-disc pl-5">
            {reasons.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Callout>
      )}
      <Button disabled={missing > 0} onClick={() => setIsAsking(true)}>
        {labels.makePublic}
      </Button>
      {missing > 0 && <p className="text-sm text-muted">{labels.availableWhenAllRequirements}</p>}
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={labels.makePublicQuestion(client.client_name)}
        label={labels.makePublicPermanently}
        phrase={client.client_name}
        onConfirm={() => promotion.mutateAsync()}
      >
        <p>{labels.anyUserOfThisServer}</p>
        <ul className="list-disc space-y-1 pl-5">
          <li>{labels.consequencePermanent}</li>
          <li>{labels.consequenceHost}</li>
          <li>{labels.consequenceRequired}</li>
        </ul>
      </Confirm>
    </div>
  );
}
