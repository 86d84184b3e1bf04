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
import { labels } from './labels.ts';
import { TxtRecord } from './txt-record.tsx';
import { type Verification, isUnverifiable } from './verification.ts';
import { duration } from './duration.ts';

/** Where other parts of the page lead to. */
export const VERIFICATION_ID = 'verification';

const STATES: Readonly<Record<Verification['status'], [tone: Tone, words: string]>> = {
  pending: ['info', labels.waitingForTheFirstLookup],
  in_progress: ['info', labels.lookingForTheRecord],
  verified: ['good', labels.verified],
  failed: ['danger', labels.failed],
};

/** Whether the home page belongs to the owner of the client, and how to show that it does. */
export function VerificationCard(page: ClientOfPage) {
  const { client, mayChange } = page;
  const { client_uri: uri, client_uri_verification: verification } = client;
  const [tone, words] = verification === undefined ? [] : STATES[verification.status];
  return (
    <div id={VERIFICATION_ID} tabIndex={-1} className="scroll-mt-20 rounded-xl">
      <Card
        title={labels.homePageVerification}
        lead={labels.showsUsersThatTheClient}
        actions={words !== undefined && <Badge tone={tone ?? 'neutral'}>{words}</Badge>}
      >
        {/* It is there from the beginning, so that a change of its text is told. */}
        <p role="status" className="sr-only">
          {words !== undefined && labels.homePageVerificationStatus(words)}
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
      <p>{labels.theClientHasNoHome}</p>
      {mayChange && (
        <LinkButton isSmall to="/accounts/$accountId/oauth-clients/$clientId/edit" params={place}>
          {labels.setTheHomePage}
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
      <Callout tone="warning" title={labels.cannotBeVerified(uri)}>
        {labels.aPrivateClientInDevelopment(sentence(verification.problem))}
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
          <summary className="text-[0.9375rem] font-medium">{labels.verificationRecord}</summary>
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
        Add this record to the DNS zone of <strong>{host}</strong>. The server looks for it
        immediately and then repeatedly. DNS changes take minutes to hours to propagate.
      </>
    ),
    in_progress: (
      <>
        Add this record to the DNS zone of <strong>{host}</strong>. The server looks for it
        repeatedly until the time is over. DNS changes take minutes to hours to propagate.
      </>
    ),
    verified: (
      <>
        <strong>{host}</strong> has the record. The server checks it once a day, so keep it.{' '}
        <q>{labels.verified}</q> applies only to this host. You can change the name, the logo or the
        redirect URIs without losing it. The consent page states that name and logo are not
        verified, and warns users of redirect hosts other than {host}.
      </>
    ),
    failed: (
      <>
        The record of <strong>{host}</strong> was not found in time. Add the unchanged record and
        restart the verification.
      </>
    ),
  };
  return (
    <div className="space-y-2 text-[0.9375rem]">
      <p>{texts[status]}</p>
      {status !== 'verified' && (
        <p className="text-sm text-muted">{labels.theVerificationCoversExactly}</p>
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
        <Fact name={labels.verified}>
          <Time value={verifiedAt} />
        </Fact>
      )}
      {expiresAt !== undefined && (
        <Fact name={labels.timeLeft}>{duration(Date.parse(expiresAt) - nowMs)}</Fact>
      )}
      <Fact name={labels.lastLookup}>
        {checkedAt === null ? labels.notYet : <Time value={checkedAt} />}
      </Fact>
      {verification.problem !== undefined && (
        <Fact name={labels.result}>{sentence(verification.problem)}</Fact>
      )}
    </Facts>
  );
}

function Restart({ client, place, uri, verification }: StateProps) {
  const { status, warning } = verification;
  const restart = useMutation({
    mutationFn: () => changeClient(place, { client_uri: uri }),
    onSuccess: () => toast(labels.theServerIsLookingUp),
  });
  // The first look is about to come anyway, and what is verified needs none.
  if (status === 'pending' || (status === 'verified' && warning === undefined)) return null;
  return (
    <div className="space-y-3">
      <SaveFailure error={restart.error} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button isSmall isBusy={restart.isPending} onClick={() => restart.mutate()}>
          {status === 'verified' ? labels.lookUpAgain : labels.restartVerification}
        </Button>
        <span className="text-sm text-muted">
          {status === 'verified'
            ? labels.restartAfterYouRestored
            : labels.looksUpTheRecordNow(client.client_name)}
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
