import { searchable } from '../../lib/searchable.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutGrid } from '../../ui/icons.tsx';
import { useState } from 'react';
import { type Access, useAccountOfPage } from '../../api/accounts.ts';
import { type OAuthClient, oauthClientsQuery } from '../../api/oauth-clients.ts';
import { counted } from '../../lib/counted.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SearchInput } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ClientLogo } from './client-logo.tsx';
import { kindOf, verificationState } from './client-words.ts';
import { CreateLink } from '../create-link.tsx';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import { labels } from './labels.ts';

const LIST = '/accounts/$accountId/oauth-clients';
// Nobody reads more at once; the API gives all.
const ROWS_AT_ONCE = 100;

/** The OAuth clients of the account. */
export function ClientList() {
  const access = useAccountOfPage();
  if (access.can('oauth-clients.read')) return <VisibleList access={access} />;
  return (
    <Page title={labels.oauthClients} lead={LEAD}>
      <Unseen
        access={access}
        permission="oauth-clients.read"
        icon={<LayoutGrid />}
        what={labels.hiddenSubject}
      />
    </Page>
  );
}

const LEAD = labels.applicationsThatSignUsers;

function VisibleList({ access }: { access: Access }) {
  const { data: clients } = useSuspenseQuery(oauthClientsQuery(access.accountId));
  const isEmpty = clients.length === 0;
  return (
    <Page
      title={labels.oauthClients}
      lead={LEAD}
      actions={!isEmpty && <CreateButton access={access} />}
    >
      <ReadOnly access={access} permission="oauth-clients.write" deed={labels.changeAction} />
      {isEmpty ? <NoClients access={access} /> : <Clients access={access} clients={clients} />}
    </Page>
  );
}

function CreateButton({ access }: { access: Access }) {
  const params = { accountId: access.accountId };
  return (
    <CreateLink
      isAllowed={access.can('oauth-clients.write')}
      label={labels.createClient}
      link={{ to: '/accounts/$accountId/oauth-clients/new', params }}
    />
  );
}

function NoClients({ access }: { access: Access }) {
  return (
    <Card>
      <Empty
        icon={<LayoutGrid />}
        title={labels.noOauthClientsYet}
        actions={<CreateButton access={access} />}
      >
        <p>{labels.anOauthClient}</p>
        <p className="mt-2">
          A script that acts for no user needs no client, but an{' '}
          <Link
            to="/accounts/$accountId/tokens"
            params={{ accountId: access.accountId }}
            className="underline"
          >
            {labels.apiToken}
          </Link>
          .
        </p>
      </Empty>
    </Card>
  );
}

function Clients({ access, clients }: { access: Access; clients: readonly OAuthClient[] }) {
  const { accountId } = access;
  const { name } = useSearch({ from: LIST });
  const navigate = useNavigate();
  // The address follows: it comes too late for who types fast.
  const [typed, setTyped] = useState(name ?? '');
  const [isWhole, setIsWhole] = useState(false);
  const wanted = searchable(typed.trim());
  const found = clients.filter(
    (client) =>
      searchable(client.client_name).includes(wanted) || client.client_id.startsWith(wanted),
  );
  const shown = isWhole ? found : found.slice(0, ROWS_AT_ONCE);
  const search = (text: string): void => {
    setTyped(text);
    void navigate({
      to: LIST,
      params: { accountId },
      search: text === '' ? {} : { name: text },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchInput
          label={labels.searchByNameOrClient}
          value={typed}
          onChange={(event) => search(event.target.value)}
        />
        <p role="status" className="text-sm text-muted">
          {wanted === ''
            ? counted(clients.length, 'client')
            : labels.of(found.length, counted(clients.length, 'client'))}
        </p>
      </div>
      <Card isFlush>
        {found.length === 0 ? (
          <Empty
            title={labels.noMatchingClients}
            actions={<Button onClick={() => search('')}>{labels.showAllClients}</Button>}
          />
        ) : (
          <Table
            caption={labels.oauthClients}
            columns={columnsOf(accountId)}
            rows={shown}
            keyOf={(client) => client.client_id}
          />
        )}
      </Card>
      {shown.length < found.length && (
        <Button onClick={() => setIsWhole(true)}>{labels.showAll(found.length)}</Button>
      )}
    </>
  );
}

function columnsOf(accountId: string): Column<OAuthClient>[] {
  return [
    { title: labels.client, cell: (client) => <Name accountId={accountId} client={client} /> },
    {
      title: labels.application,
      cell: (client) => <span className="text-muted">{kindOf(client)}</span>,
    },
    {
      title: labels.visibility,
      cell: ({ visibility }) =>
        visibility === 'public' ? (
          <Badge tone="good">{labels.public}</Badge>
        ) : (
          <Badge>{labels.private}</Badge>
        ),
    },
    { title: labels.clientUrl, cell: (client) => <Verification client={client} /> },
    {
      title: labels.created,
      cell: ({ created_at: createdAt }) => (
        <span className="whitespace-nowrap text-muted">
          <Time value={createdAt} />
        </span>
      ),
    },
  ];
}

function Name({ accountId, client }: { accountId: string; client: OAuthClient }) {
  const { client_id: clientId, client_name: name, has_rotated_secret: isRotating } = client;
  return (
    <span className="flex items-center gap-3 text-left">
      <ClientLogo client={client} />
      <span className="min-w-0">
        <Link
          to="/accounts/$accountId/oauth-clients/$clientId"
          params={{ accountId, clientId }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        {isRotating && (
          <span className="mt-0.5 block">
            <Badge tone="warning">{labels.rotationUnfinished}</Badge>
          </span>
        )}
      </span>
    </span>
  );
}

function Verification({ client }: { client: OAuthClient }) {
  const state = verificationState(client);
  if (state === undefined) return <span className="text-sm text-muted">{labels.none}</span>;
  return <Badge tone={state.tone}>{state.text}</Badge>;
}
