import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type Access, useAccountOfPage } from '../../../api/accounts.ts';
import type { CreatedClient } from '../../../api/oauth-client-changes.ts';
import { Page } from '../../../ui/page.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { emptyValues } from '../form/client-values.ts';
import { CreatedClientPage } from './created-client.tsx';
import { keepDraft } from './draft.ts';
import { labels } from './labels.ts';
import { Wizard } from './wizard.tsx';

const NEW = '/accounts/$accountId/oauth-clients/new';

/** Makes an OAuth client, step by step; the step is in the address. */
export function CreateClient() {
  const access = useAccountOfPage();
  if (!access.can('oauth-clients.write')) {
    return (
      <NewPage accountId={access.accountId}>
        <ReadOnly access={access} permission="oauth-clients.write" deed={labels.createAction} />
      </NewPage>
    );
  }
  // Another account is another client.
  return <NewClient key={access.accountId} access={access} />;
}

function NewClient({ access: { accountId } }: { access: Access }) {
  const { step } = useSearch({ from: NEW });
  const [created, setCreated] = useState<CreatedClient>();
  const [attempt, setAttempt] = useState(0);
  const navigate = useNavigate();
  const params = { accountId };
  useEffect(() => {
    if (created !== undefined && step === 'done') keepDraft(accountId, emptyValues);
  }, [accountId, created, step]);
  if (step === 'done') {
    if (created !== undefined) return <CreatedClientPage accountId={accountId} created={created} />;
    // Its secret is gone from the page, and nothing else of it is here.
    return <Navigate to="/accounts/$accountId/oauth-clients" params={params} replace />;
  }
  const startOver = (): void => {
    keepDraft(accountId, emptyValues);
    setAttempt(attempt + 1);
    void navigate({ to: NEW, params });
  };
  return (
    <NewPage accountId={accountId} lead={labels.anApplicationThatSignsUsers}>
      <Wizard
        key={attempt}
        accountId={accountId}
        step={step}
        onCreated={setCreated}
        onStartOver={startOver}
      />
    </NewPage>
  );
}

interface NewPageProps {
  accountId: string;
  lead?: string;
  children: ReactNode;
}

function NewPage({ accountId, ...rest }: NewPageProps) {
  const params = { accountId };
  return (
    <Page
      title={labels.createAnOauthClient}
      back={{ label: labels.oauthClients, to: '/accounts/$accountId/oauth-clients', params }}
      isNarrow
      {...rest}
    />
  );
}
