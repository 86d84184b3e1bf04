import { Plus, Server } from '../../ui/icons.tsx';
import { useState } from 'react';
import { type Access, useAccountOfPage } from '../../api/accounts.ts';
import { type CustomProvider } from '../../api/custom-providers.ts';
import { describeFailure } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import { labels } from './labels.ts';
import { DeleteProvider, DisableProvider, switchProvider } from './provider-deeds.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderList } from './provider-list.tsx';
import type { ProviderDeed } from './provider-table.tsx';
import { ReachDialog } from './reach-dialog.tsx';

const TITLE = labels.customProviders;
const LEAD = labels.yourOwnServicesAvailable;

/** The providers that an account has added. */
export function CustomProviders() {
  const access = useAccountOfPage();
  if (access.can('ai-gateway.read')) return <VisibleProviders access={access} />;
  return (
    <Page title={TITLE} lead={LEAD}>
      <Unseen
        access={access}
        permission="ai-gateway.read"
        icon={<Server />}
        what={labels.hiddenSubject}
      />
    </Page>
  );
}

/** What is being done, and to which provider; undefined: to one that is not there yet. */
interface Doing {
  deed: ProviderDeed | 'add' | 'added';
  provider?: CustomProvider;
}

function VisibleProviders({ access }: { access: Access }) {
  const { accountId } = access;
  const mayWrite = access.can('ai-gateway.write');
  const [doing, setDoing] = useState<Doing>();
  const begin = (provider: CustomProvider, deed: ProviderDeed): void => {
    if (deed !== 'enable') return setDoing({ deed, provider });
    switchProvider(accountId, provider, true).catch((error: unknown) =>
      toast({ tone: 'danger', text: describeFailure(error) }),
    );
  };
  const addButton = (
    <Button
      look="primary"
      disabled={!mayWrite}
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setDoing({ deed: 'add' })}
    >
      {labels.addProvider}
    </Button>
  );
  return (
    <Page title={TITLE} lead={LEAD} actions={addButton}>
      <ReadOnly access={access} permission="ai-gateway.write" deed={labels.readOnlyAction} />
      <ProviderList accountId={accountId} mayWrite={mayWrite} onDeed={begin} />
      {doing !== undefined && <Deed accountId={accountId} doing={doing} onNext={setDoing} />}
    </Page>
  );
}

interface DeedProps {
  accountId: string;
  doing: Doing;
  onNext: (doing: Doing | undefined) => void;
}

function Deed({ accountId, doing: { deed, provider }, onNext }: DeedProps) {
  const close = (): void => onNext(undefined);
  if (provider === undefined) {
    return (
      <ProviderDialog
        accountId={accountId}
        provider={undefined}
        onClose={close}
        onSaved={(added) => onNext({ deed: 'added', provider: added })}
      />
    );
  }
  const props = { accountId, provider, onClose: close };
  if (deed === 'disable') return <DisableProvider {...props} />;
  if (deed === 'delete') return <DeleteProvider {...props} />;
  if (deed !== 'edit') return <ReachDialog {...props} isNew={deed === 'added'} />;
  const saved = ({ name }: CustomProvider): void => {
    toast(labels.saved(name));
    close();
  };
  return <ProviderDialog {...props} onSaved={saved} />;
}
