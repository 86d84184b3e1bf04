import { clsx } from 'clsx';
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { AppWindow } from '../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import { type Grant, grantsQuery, revokeGrant } from '../../api/grants.ts';
import { oauthScopesQuery } from '../../api/oauth-scopes.ts';
import { brandName } from '../../lib/site.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { ClientLogo } from '../oauth-clients/client-logo.tsx';
import { grantedScopeWords } from './granted-scope-words.ts';
import { labels } from './labels.ts';

/** The applications that may act for the person. */
export function Applications() {
  const { page = 1 } = useSearch({ from: '/profile/applications' });
  usePrefetchQuery(oauthScopesQuery);
  const { data } = useSuspenseQuery(grantsQuery(page));
  const navigate = useNavigate();
  const [revoked, setRevoked] = useState<Grant>();
  const { result: grants, result_info: info } = data;
  const pages = info.total_pages;
  // What was on the last page may have been revoked.
  if (grants.length === 0 && page > 1) {
    return <Navigate to="/profile/applications" search={{ page: Math.max(pages, 1) }} replace />;
  }
  return (
    <Page title={labels.authorizedApplications} lead={labels.applicationsThatCanAct(brandName)}>
      {grants.length === 0 ? (
        <Card>
          <Empty icon={<AppWindow />} title={labels.noAuthorizedApplications}>
            {labels.applicationsThatYouAuthorize(brandName)}
          </Empty>
        </Card>
      ) : (
        <ul className="space-y-4">
          {grants.map((grant) => (
            <li key={grant.id}>
              <Application grant={grant} onRevoke={() => setRevoked(grant)} />
            </li>
          ))}
        </ul>
      )}
      <Pager
        page={page}
        totalPages={pages}
        onPage={(next) => void navigate({ to: '/profile/applications', search: { page: next } })}
      />
      <Revoke grant={revoked} onClose={() => setRevoked(undefined)} />
    </Page>
  );
}

function Application({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const { client, accounts, scopes, declined_scopes: declined } = grant;
  return (
    <Card>
      <div className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <ClientLogo client={client} />
        <div className="min-w-0 flex-1 basis-40">
          <h2 className="font-semibold wrap-anywhere">{client.client_name}</h2>
          <Publisher publisher={client.publisher} />
        </div>
        <Button
          isSmall
          onClick={onRevoke}
          aria-label={labels.revokeApplication(client.client_name)}
        >
          {labels.revoke}
        </Button>
      </div>
      <Facts>
        <Fact name={labels.accounts}>
          {accounts.length === 0 ? (
            <span className="text-muted">{labels.none}</span>
          ) : (
            accounts.map(({ name }) => name).join(', ')
          )}
        </Fact>
        <Fact name={labels.permissions}>
          <Scopes scopes={scopes} />
        </Fact>
        {declined.length > 0 && (
          <Fact name={labels.youDeclined}>
            <Scopes scopes={declined} isDeclined />
          </Fact>
        )}
        <Fact name={labels.authorized}>
          <Time value={grant.created_at} />
          {grant.updated_at !== grant.created_at && (
            <span className="text-muted">
              , changed <Time value={grant.updated_at} />
            </span>
          )}
        </Fact>
        <Fact name={labels.lastUsed}>
          {grant.last_used_at === null ? (
            <span className="text-muted">{labels.never}</span>
          ) : (
            <Time value={grant.last_used_at} />
          )}
        </Fact>
      </Facts>
    </Card>
  );
}

function Publisher({ publisher }: { publisher: Grant['client']['publisher'] }) {
  if (publisher === undefined) {
    return <p className="text-sm text-muted">{labels.thePublisherIsUnknown}</p>;
  }
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span className="wrap-anywhere">{publisher.host}</span>
      {publisher.verified ? (
        <Badge tone="good">{labels.verified}</Badge>
      ) : (
        <Badge tone="warning">{labels.notVerified}</Badge>
      )}
    </p>
  );
}

// More are a wall of text.
const SCOPES_SHOWN = 6;

function Scopes({
  scopes,
  isDeclined = false,
}: {
  scopes: readonly string[];
  isDeclined?: boolean;
}) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { data: known } = useSuspenseQuery(oauthScopesQuery);
  const isLong = scopes.length > SCOPES_SHOWN + 1;
  const shown = isLong && !isUnfolded ? scopes.slice(0, SCOPES_SHOWN) : scopes;
  return (
    <>
      <ul className={clsx('space-y-1', isDeclined && 'text-muted')}>
        {shown.map((scope) => {
          const name = known.find(({ id }) => id === scope)?.name ?? scope;
          return (
            <li key={scope} title={scope}>
              {grantedScopeWords(scope) ?? name}
              <span className="text-sm text-muted"> ({name})</span>
            </li>
          );
        })}
      </ul>
      {isLong && (
        <Button
          isSmall
          look="quiet"
          className="-ml-2.5"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded ? labels.showFewer : labels.showAll(scopes.length)}
        </Button>
      )}
    </>
  );
}

function Revoke({ grant, onClose }: { grant: Grant | undefined; onClose: () => void }) {
  const name: ReactNode = grant && <strong>{grant.client.client_name}</strong>;
  return (
    <Confirm
      isOpen={grant !== undefined}
      onClose={onClose}
      title={labels.revokeApplicationQuestion(grant?.client.client_name ?? 'application')}
      label={labels.revoke}
      onConfirm={async () => {
        if (grant === undefined) return;
        await revokeGrant(grant.id);
        toast(labels.revokedTheAccessOf(grant.client.client_name));
      }}
    >
      <p>
        {name} loses access immediately. The application can no longer read or change anything for
        you, including in the background.
      </p>
      <p>{labels.dataThatTheApplication}</p>
    </Confirm>
  );
}
