import { useEdit } from '../../ui/use-edit.ts';
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useAccountOfPage } from '../../api/accounts.ts';
import { changeClient, readClient } from '../../api/oauth-client-changes.ts';
import { type OAuthClient, oauthClientQuery } from '../../api/oauth-clients.ts';
import { oauthScopesQuery } from '../../api/oauth-scopes.ts';
import { faultOf } from '../../lib/web-uri.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { focusFirstFault } from '../../ui/focus-first-fault.ts';
import { Card, Page } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ChangeWarnings } from './edit/change-warnings.tsx';
import { homePageNote } from './edit/home-page-note.ts';
import { NameField, PresentationFields, RedirectFields } from './form/address-fields.tsx';
import type { ClientFaults } from './form/client-faults.ts';
import { type ClientValues, changesOf, valuesOf } from './form/client-values.ts';
import { FlowFields } from './form/flow-fields.tsx';
import { ScopeFields } from './form/scope-fields.tsx';
import { useClientForm } from './form/use-client-form.ts';
import { ReadOnly } from '../role-needed.tsx';
import { labels } from './labels.ts';

/** Changes the registration of a client. */
export function EditClient() {
  const access = useAccountOfPage();
  const { accountId } = access;
  const { clientId } = useParams({ from: '/accounts/$accountId/oauth-clients/$clientId/edit' });
  usePrefetchQuery(oauthScopesQuery);
  const { data: client } = useSuspenseQuery(oauthClientQuery(accountId, clientId));
  const params = { accountId, clientId };
  const detail = '/accounts/$accountId/oauth-clients/$clientId';
  return (
    <Page
      title={labels.edit(client.client_name)}
      back={{ label: client.client_name, to: detail, params }}
      isNarrow
    >
      {access.can('oauth-clients.write') ? (
        <EditForm key={clientId} accountId={accountId} client={client} />
      ) : (
        <ReadOnly access={access} permission="oauth-clients.write" deed={labels.editAction} />
      )}
    </Page>
  );
}

interface EditFormProps {
  accountId: string;
  client: OAuthClient;
}

/** What a public client must keep, as far as it can be said before it is sent. */
function findFrozenFaults(stored: OAuthClient, values: ClientValues): ClientFaults {
  const faults = new Map<string, ReturnType<typeof faultOf>>();
  if (stored.visibility !== 'public') return faults;
  const isTaken = labels.publicClientsRequireThisYou;
  if (values.logo_uri.trim() === '') faults.set('logo_uri', faultOf(isTaken));
  const before = URL.parse(stored.client_uri ?? '')?.hostname;
  const after = URL.parse(values.client_uri.trim())?.hostname;
  if (values.client_uri.trim() === '') {
    faults.set('client_uri', faultOf(isTaken));
  } else if (after !== undefined && after !== before) {
    const reason = labels.theHostOfAPublic(before ?? '');
    faults.set('client_uri', faultOf(reason, stored.client_uri));
  }
  if (!values.scopes.some((id) => id.includes('.'))) {
    const reason = labels.aPublicClientNeeds;
    faults.set('scopes', faultOf(reason));
  }
  return faults;
}

function EditForm({ accountId, client: present }: EditFormProps) {
  // What somebody else changes meanwhile is no change of this form.
  const [stored] = useState(present);
  const navigate = useNavigate();
  const params = { accountId, clientId: stored.client_id };
  const toDetail = { to: '/accounts/$accountId/oauth-clients/$clientId', params } as const;
  const place = { accountId, clientId: stored.client_id };
  const edit = useEdit(stored, () => readClient(place));
  const frame = useRef<HTMLFormElement>(null);
  const client = useClientForm({
    values: valuesOf(stored),
    findMore: (values) => findFrozenFaults(stored, values),
    save: async (values) => {
      const body = changesOf(stored, values);
      if (Object.keys(body).length > 0) {
        const members = Object.keys(body) as (keyof typeof body)[];
        await edit.save(members, (headers) => changeClient(place, body, headers));
        toast(labels.savedTheClient);
      }
      await navigate(toDetail);
    },
  });
  const submit = (event: FormEvent): void => {
    const paths = [...client.faults.keys()];
    if (paths.length === 0) {
      client.api.submit(event);
      return;
    }
    event.preventDefault();
    client.touch(...paths);
    setTimeout(() => focusFirstFault(frame.current));
  };
  return (
    <form ref={frame} noValidate onSubmit={submit} className="space-y-6">
      {client.api.guard}
      <Parts client={client} stored={stored} />
      <ChangeWarnings stored={stored} values={client.values} />
      <SaveFailure error={client.api.failure} />
      <Actions>
        <LinkButton {...toDetail}>{labels.cancel}</LinkButton>
        <Button type="submit" look="primary" isBusy={client.api.isSaving}>
          {labels.saveClient}
        </Button>
      </Actions>
    </form>
  );
}

interface PartsProps {
  client: ReturnType<typeof useClientForm>;
  stored: OAuthClient;
}

function Parts({ client, stored }: PartsProps) {
  const holdsSecret = stored.token_endpoint_auth_method !== 'none';
  return (
    <>
      <Card title={labels.nameAndUrls}>
        <div className="space-y-6">
          <NameField client={client} />
          <RedirectFields client={client} />
        </div>
      </Card>
      <Card
        title={labels.publicProfile}
        lead={stored.visibility === 'public' ? labels.thisClientIsPublicYou : undefined}
      >
        <div className="space-y-6">
          <PresentationFields client={client} homePageNote={homePageNote(stored)} />
        </div>
      </Card>
      <Card
        title={labels.flow}
        lead={holdsSecret ? labels.thisClientHasASecret : labels.thisClientHasNoSecret}
      >
        <div className="space-y-6">
          <FlowFields client={client} />
        </div>
      </Card>
      <Card title={labels.scopes}>
        <ScopeFields client={client} />
      </Card>
    </>
  );
}
