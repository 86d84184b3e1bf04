import {
  type KeysPlace,
  type ProviderConfig,
  deleteProviderConfig,
  refreshProviderConfigs,
} from '../../../api/provider-configs.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { lossOf } from './key-words.ts';

interface DeleteKeyProps {
  place: KeysPlace;
  config: ProviderConfig;
  /** All that the gateway keeps. */
  configs: readonly ProviderConfig[];
  onClose: () => void;
}

/** Asks whether a key is really to go, and says what stops working without it. */
export function DeleteKey({ place, config, configs, onClose }: DeleteKeyProps) {
  const { alias, provider_slug: slug } = config;
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete the key ${alias} of ${slug}?`}
      label="Delete key"
      onConfirm={async () => {
        await deleteProviderConfig(place, config.id);
        await refreshProviderConfigs(place);
        toast('Key deleted');
      }}
    >
      <p>Within a second, on every node of this server:</p>
      <ul className="list-disc space-y-1 pl-5">
        {lossOf(config, configs).map((loss) => (
          <li key={loss} className="wrap-anywhere">
            {loss}
          </li>
        ))}
      </ul>
      <p>
        This server keeps no copy. The key itself stays valid at {slug} until you revoke it there.
      </p>
    </Confirm>
  );
}
