import { useState } from 'react';
import { deleteOldSecret } from '../../../api/oauth-client-changes.ts';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { Badge, Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Card } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useNow } from '../../../ui/use-now.ts';
import type { ClientOfPage } from './client-of-page.ts';
import { type Judgement, judgeOldSecret } from './judge-old-secret.ts';
import { labels } from './labels.ts';
import { RotateSecret } from './rotate-secret.tsx';

/** The secrets of a client: never their values, but when each was last used. */
export function SecretsCard(page: ClientOfPage) {
  const { client, mayChange } = page;
  const { secrets } = client;
  const [newest] = secrets.slice(-1);
  if (newest === undefined) return <NoSecret />;
  const old = secrets.length > 1 ? secrets[0] : undefined;
  return (
    <Card
      title={old === undefined ? labels.clientSecret : labels.clientSecrets}
      lead={
        old === undefined ? labels.yourApplicationAuthenticates : labels.twoSecretsAreActiveDelete
      }
      actions={
        mayChange && (
          <RotateSecret client={client} place={page.place} isPossible={old === undefined} />
        )
      }
    >
      <ul className="divide-y divide-line">
        {secrets.map((secret) => (
          <Secret
            key={secret.created_at}
            secret={secret}
            name={
              old === undefined
                ? labels.secret
                : secret === old
                  ? labels.oldSecret
                  : labels.newSecret
            }
          />
        ))}
      </ul>
      {old !== undefined && <Rotation {...page} old={old} newest={newest} />}
    </Card>
  );
}

function NoSecret() {
  return (
    <Card title={labels.clientSecret}>
      <p className="text-[0.9375rem]">{labels.thisClientHasNoSecret}</p>
    </Card>
  );
}

interface SecretProps {
  secret: OAuthClient['secrets'][number];
  name: string;
}

function Secret({ secret, name }: SecretProps) {
  const { created_at: createdAt, last_used_at: lastUsedAt } = secret;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0">
      <span className="flex items-center gap-2 font-medium">
        {name}
        {name === 'New secret' && lastUsedAt === null && <Badge>not used yet</Badge>}
      </span>
      <span className="text-[0.9375rem] text-muted">
        Created <Time value={createdAt} />
        {', '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Time value={lastUsedAt} />
          </>
        )}
      </span>
    </li>
  );
}

type RotationProps = ClientOfPage & Record<'old' | 'newest', OAuthClient['secrets'][number]>;

function Rotation({ place, mayChange, old, newest }: RotationProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const judgement = judgeOldSecret(old, newest, useNow());
  const remove = async (): Promise<void> => {
    await deleteOldSecret(place);
    toast(labels.deletedTheOldSecret);
  };
  return (
    <div className="mt-4">
      {/* Told when it turns, and not whenever a minute has gone by. */}
      <p role="status" className="sr-only">
        {judgement.isInUse ? labels.theOldSecret : labels.theOldSecretIsNo}
      </p>
      <Callout
        tone={judgement.tone}
        title={judgement.title}
        actions={
          mayChange && (
            <Button isSmall onClick={() => setIsDeleting(true)}>
              {labels.deleteOldSecret}
            </Button>
          )
        }
      >
        {judgement.text}
      </Callout>
      <Confirm
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={labels.deleteOldSecretQuestion}
        label={judgement.isInUse ? labels.deleteAnyway : labels.deleteOldSecret}
        onConfirm={remove}
      >
        <OldSecretWarning {...judgement} />
        <p>{labels.afterThisOnlyTheNew}</p>
      </Confirm>
    </div>
  );
}

function OldSecretWarning({ tone, title, text }: Judgement) {
  return (
    <Callout tone={tone} title={title}>
      {text}
    </Callout>
  );
}
