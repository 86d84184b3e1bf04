import {
  type KeysPlace,
  type ProviderConfig,
  deleteProviderConfig,
  readProviderConfig,
  refreshProviderConfigs,
} from '../../../api/provider-configs.ts';
import { ConfirmDeletion } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { lossOf } from './key-words.ts';
import { labels } from './labels.ts';

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
    <ConfirmDeletion
      record={config}
      read={() => readProviderConfig(place, config.id)}
      isOpen
      onClose={onClose}
      title={labels.deleteTheKeyOf(alias, slug)}
      label={labels.deleteKey}
      onConfirm={async (headers) => {
        await deleteProviderConfig(place, config.id, headers);
        await refreshProviderConfigs(place);
        toast(labels.deletedTheKey);
      }}
    >
      <p>{labels.effectOnAllNodes}</p>
      <ul className="list-disc space-y-1 pl-5">
        {lossOf(config, configs).map((loss) => (
          <li key={loss} className="wrap-anywhere">
            {loss}
          </li>
        ))}
      </ul>
      <p>{labels.thisServerKeepsNoCopy(slug)}</p>
    </ConfirmDeletion>
  );
}
