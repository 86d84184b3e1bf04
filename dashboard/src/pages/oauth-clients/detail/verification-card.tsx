import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { changeClient } from '../../../api/oauth-client-changes.ts';
import { Badge, Callout, type Tone } from '../../../ui/badge.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useNow } from '../../../ui/use-now.ts';
import type { ClientOfPage } from './client-of-page.ts';
import { TxtRecord } from './txt-record.tsx';
import { type Verification, isUnverifiable } from './verification.ts';
import { duration } from './duration.ts';

/** Where other parts of the page lead to. */
export const VERIFICATION_ID = 'verification';

const STATES: Readonly<Record<Verification['status'], [tone: Tone, words: string]>> = {
  pending: ['info', 'Waiting for the first look-up'],
  in_progress: ['info', 'Looking for the record'],
  verified: ['good', 'Verified'],
  failed: ['danger', 'Failed'],
};

/** Whether the home page belongs to the owner of the client, and how to show that it does. */
export function VerificationCard(page: ClientOfPage) {
  const { client, mayChange } = page;
  const { client_uri: uri, client_uri_verification: verification } = client;
  const [tone, words] = verification === undefined ? [] : STATES[verification.status];
  return (
    <div id={VERIFICATION_ID} tabIndex={-1} className="scroll-mt-20 rounded-xl">
      <Card
        title="Home page verification"
        lead="Shows people that the client is from where it says. A client needs it to become public."
        actions={words !== undefined && <Badge tone={tone ?? 'neutral'}>{words}</Badge>}
      >
        {/* It is there from the beginning, so that a change of its text is told. */}
        <p role="status" className="sr-only">
          {words !== undefined && `Home page verification: ${words}`}
        </p>
        {uri === undefined || verification === undefined ? (
          <NoClientUri place={page.place} mayChange={mayChange} />
        ) : (
          <State {...page} uri={uri} verification={verification} />
        )}
      </Card>
    </div>
  );
}

function NoClientUri({ place, mayChange }: Pick<ClientOfPage, 'place' | 'mayChange'>) {
  return (
    <div className="space-y-3 text-[0.9375rem]">
      <p>
        The client has no home page. Once it has one, you find here which DNS record shows that its
        host is yours.
      </p>
      {mayChange && (
        <LinkButton isSmall to="/accounts/$accountId/oauth-clients/$clientId/edit" params={place}>
          Set the home page
        </LinkButton>
      )}
    </div>
  );
}

type StateProps = ClientOfPage & { uri: string; verification: Verification };

function State(props: StateProps) {
  const { uri, verification, mayChange } = props;
  const { status, warning } = verification;
  if (isUnverifiable(verification)) {
    return (
      <Callout tone="warning" title={`${uri} cannot be verified`}>
        {sentence(verification.problem)} That is fine for a private client in development.
      </Callout>
    );
  }
  const isVerified = status === 'verified';
  const record = <TxtRecord host={verification.host} text={verification.text} />;
  return (
    <div className="space-y-4">
      <Explanation {...verification} />
      {warning !== undefined && <Callout tone="warning">{sentence(warning)}</Callout>}
      {isVerified && warning === undefined ? (
        <details>
          <summary className="text-[0.9375rem] font-medium">The record to keep</summary>
          <div className="mt-3">{record}</div>
        </details>
      ) : (
        record
      )}
      <Progress {...verification} />
      {mayChange && <Restart {...props} />}
    </div>
  );
}

function Explanation({ status, host }: Verification) {
  const texts: Readonly<Record<Verification['status'], ReactNode>> = {
    pending: (
      <>
        Add this record where the DNS of <strong>{host}</strong> is managed. The server looks at
        once, and then again and again; DNS can take from minutes to hours to spread a record.
      </>
    ),
    in_progress: (
      <>
        Add this record where the DNS of <strong>{host}</strong> is managed. The server looks again
        and again until the time is over; DNS can take from minutes to hours to spread a record.
      </>
    ),
    verified: (
      <>
        <strong>{host}</strong> has the record. The server looks once a day whether it is still
        there, so keep it. The mark <q>Verified</q> is about this host alone: it stays when you
        change the name, the logo or the redirect URIs. The consent page says that name and logo are
        not verified, and warns people of redirect hosts outside of {host}.
      </>
    ),
    failed: (
      <>
        The record of <strong>{host}</strong> was not found in time. Add it, and restart the
        verification: what it holds stays the same.
      </>
    ),
  };
  return (
    <div className="space-y-2 text-[0.9375rem]">
      <p>{texts[status]}</p>
      {status !== 'verified' && (
        <p className="text-sm text-muted">
          Only the host of the home page counts, exactly as it is, and not the path behind it.
        </p>
      )}
    </div>
  );
}

function Progress(verification: Verification) {
  const {
    expires_at: expiresAt,
    last_checked_at: checkedAt,
    verified_at: verifiedAt,
  } = verification;
  const nowMs = useNow();
  return (
    <Facts>
      {verifiedAt !== undefined && (
        <Fact name="Verified">
          <Time value={verifiedAt} />
        </Fact>
      )}
      {expiresAt !== undefined && (
        <Fact name="Time left">{duration(Date.parse(expiresAt) - nowMs)}</Fact>
      )}
      <Fact name="Last look">{checkedAt === null ? 'Not yet' : <Time value={checkedAt} />}</Fact>
      {verification.problem !== undefined && (
        <Fact name="What it found">{sentence(verification.problem)}</Fact>
      )}
    </Facts>
  );
}

function Restart({ client, place, uri, verification }: StateProps) {
  const { status, warning } = verification;
  const restart = useMutation({
    mutationFn: () => changeClient(place, { client_uri: uri }),
    onSuccess: () => toast('The server is looking again'),
  });
  // The first look is about to come anyway, and what is verified needs none.
  if (status === 'pending' || (status === 'verified' && warning === undefined)) return null;
  return (
    <div className="space-y-3">
      <SaveFailure error={restart.error} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button isSmall isBusy={restart.isPending} onClick={() => restart.mutate()}>
          {status === 'verified' ? 'Look again' : 'Restart verification'}
        </Button>
        <span className="text-sm text-muted">
          {status === 'verified'
            ? 'When the record is back.'
            : `Looks at once, and gives ${client.client_name} the whole time again.`}
        </span>
      </div>
    </div>
  );
}

/** What the API says begins where its sentence goes on. */
function sentence(text: string | undefined): string {
  if (text === undefined || text === '') return '';
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
