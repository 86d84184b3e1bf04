import {
  CUSTOM_PREFIX,
  type CustomProvider,
  deleteCustomProvider,
  forgetCustomProvider,
  readCustomProvider,
  refreshCustomProviders,
  updateCustomProvider,
} from '../../api/custom-providers.ts';
import { Confirm, ConfirmDeletion } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

interface ProviderDeedProps {
  accountId: string;
  provider: CustomProvider;
  onClose: () => void;
}

/** Asks whether a provider is really to be switched off. */
export function DisableProvider({ accountId, provider, onClose }: ProviderDeedProps) {
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={labels.disable(provider.name)}
      label={labels.disableProvider}
      onConfirm={() => switchProvider(accountId, provider, false)}
    >
      <p>
        Within a second, all gateways reject requests to{' '}
        <code className="font-mono">{CUSTOM_PREFIX + provider.slug}</code> with error 2008.
        Universal requests continue with their next step.
      </p>
      <p>{labels.settingsAndKeysAreKept}</p>
    </Confirm>
  );
}

/** Switches a provider on or off. */
export async function switchProvider(
  accountId: string,
  { id, name }: CustomProvider,
  enable: boolean,
): Promise<void> {
  await updateCustomProvider(accountId, id, { enable });
  await refreshCustomProviders(accountId);
  toast(labels.switched(name, enable));
}

/** Asks whether a provider is really to go, with the keys that gateways keep for it. */
export function DeleteProvider({ accountId, provider, onClose }: ProviderDeedProps) {
  const { id, name, slug } = provider;
  return (
    <ConfirmDeletion
      record={provider}
      read={() => readCustomProvider(accountId, id)}
      isOpen
      onClose={onClose}
      title={labels.delete(name)}
      label={labels.deleteProvider}
      phrase={slug}
      onConfirm={async (headers) => {
        await deleteCustomProvider(accountId, id, headers);
        await forgetCustomProvider(accountId);
        toast(labels.deleted(name));
      }}
    >
      <p>
        All gateways reject requests to <code className="font-mono">{CUSTOM_PREFIX + slug}</code>{' '}
        with error 2008.
      </p>
      <p>{labels.allStoredKeys}</p>
    </ConfirmDeletion>
  );
}
