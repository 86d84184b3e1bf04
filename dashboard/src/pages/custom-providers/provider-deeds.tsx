import {
  CUSTOM_PREFIX,
  type CustomProvider,
  deleteCustomProvider,
  forgetCustomProvider,
  refreshCustomProviders,
  updateCustomProvider,
} from '../../api/custom-providers.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast.tsx';

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
      title={`Switch off ${provider.name}?`}
      label="Switch off"
      onConfirm={() => switchProvider(accountId, provider, false)}
    >
      <p>
        Requests that name <code className="font-mono">{CUSTOM_PREFIX + provider.slug}</code> are
        refused with error 2008, on every gateway and within a second. Calls of a universal request
        that come after it are tried.
      </p>
      <p>Its settings and its keys stay: you can switch it on again.</p>
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
  toast(`${name} is switched ${enable ? 'on' : 'off'}`);
}

/** Asks whether a provider is really to go, with the keys that gateways keep for it. */
export function DeleteProvider({ accountId, provider, onClose }: ProviderDeedProps) {
  const { id, name, slug } = provider;
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      label="Delete provider"
      phrase={slug}
      onConfirm={async () => {
        await deleteCustomProvider(accountId, id);
        await forgetCustomProvider(accountId);
        toast(`${name} deleted`);
      }}
    >
      <p>
        Requests that name <code className="font-mono">{CUSTOM_PREFIX + slug}</code> are refused
        with error 2008, on every gateway.
      </p>
      <p>
        Every key that a gateway keeps for it is deleted, too, since its slug may be used again for
        another address. This cannot be undone. Its log rows stay.
      </p>
    </Confirm>
  );
}
