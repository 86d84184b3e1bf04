import { clsx } from 'clsx';
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { AppWindow } from 'lucide-react';
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
    <Page
      title="Authorized applications"
      lead={`Applications that you let act for you through ${brandName}: where, and what they may do.`}
    >
      {grants.length === 0 ? (
        <Card>
          <Empty icon={<AppWindow />} title="No application acts for you">
            When you sign in to an application with {brandName} and approve what it asks for, it
            appears here, and you can take it back at any time.
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
        <Button isSmall onClick={onRevoke} aria-label={`Revoke ${client.client_name}`}>
          Revoke
        </Button>
      </div>
      <Facts>
        <Fact name="May act in">
          {accounts.length === 0 ? (
            <span className="text-muted">No account</span>
          ) : (
            accounts.map(({ name }) => name).join(', ')
          )}
        </Fact>
        <Fact name="May do">
          <Scopes scopes={scopes} />
        </Fact>
        {declined.length > 0 && (
          <Fact name="You declined">
            <Scopes scopes={declined} isDeclined />
          </Fact>
        )}
        <Fact name="Authorized">
          <Time value={grant.created_at} />
          {grant.updated_at !== grant.created_at && (
            <span className="text-muted">
              , decided again <Time value={grant.updated_at} />
            </span>
          )}
        </Fact>
        <Fact name="Last used">
          {grant.last_used_at === null ? (
            <span className="text-muted">Never</span>
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
    return <p className="text-sm text-muted">Its publisher is not known.</p>;
  }
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span className="wrap-anywhere">{publisher.host}</span>
      {publisher.verified ? (
        <Badge tone="good">Verified</Badge>
      ) : (
        <Badge tone="warning">Not verified</Badge>
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
          {isUnfolded ? 'Show fewer' : `Show all ${scopes.length}`}
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
      title={`Revoke ${grant?.client.client_name ?? 'application'}?`}
      label="Revoke"
      onConfirm={async () => {
        if (grant === undefined) return;
        await revokeGrant(grant.id);
        toast(`${grant.client.client_name} can no longer act for you.`);
      }}
    >
      <p>
        {name} loses its access at once: it can no longer read or change anything for you, also not
        what runs in the background.
      </p>
      <p>
        What it has read or stored already stays with it. To use it again, you sign in there and
        approve anew.
      </p>
    </Confirm>
  );
}
