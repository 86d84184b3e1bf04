import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from '../../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import { type CustomProvider, allCustomProvidersQuery } from '../../../api/custom-providers.ts';
import { describeFailure } from '../../../api/failure.ts';
import {
  type KeysPlace,
  type ProviderConfig,
  providerConfigsQuery,
  refreshProviderConfigs,
  updateProviderConfig,
} from '../../../api/provider-configs.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { GatewayPage, IfMaySee, useGatewayOfPage } from '../gateway-page.tsx';
import { DeleteKey } from './delete-key.tsx';
import { KeyChoiceCard, isLendingToAll } from './key-choice-card.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { ANY_PROVIDER, type KeySearch } from './key-search.ts';
import { KeyTable } from './key-table.tsx';
import { labels } from './labels.ts';

const LEAD = labels.providerKeysStored;

const NOBODY: readonly CustomProvider[] = [];

/** The keys of providers that a gateway keeps. */
export function GatewayKeys() {
  return (
    <IfMaySee section={labels.keys}>
      <KeysOfGateway />
    </IfMaySee>
  );
}

function KeysOfGateway() {
  const { access, gateway } = useGatewayOfPage();
  const place: KeysPlace = { accountId: access.accountId, gatewayId: gateway.id };
  const { data: configs } = useSuspenseQuery(providerConfigsQuery(place));
  const mayWrite = access.can('ai-gateway.write');
  const [isAdding, setIsAdding] = useAdding(place);
  const addButton = (
    <Button
      look="primary"
      disabled={!mayWrite}
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setIsAdding(true)}
    >
      {labels.addKey}
    </Button>
  );
  return (
    <GatewayPage section={labels.keys} lead={LEAD} actions={configs.length > 0 && addButton}>
      <ReadOnly access={access} permission="ai-gateway.write" deed={labels.readOnlyAction} />
      {isLendingToAll(gateway) && (
        <Callout tone="warning" title={labels.anyClientCanUseThese}>
          This gateway is open, and clients without a valid token can use its stored keys and spend
          your money. Enable authentication, or restrict the stored keys, in its{' '}
          <Link
            to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings"
            params={place}
            className="underline"
          >
            settings
          </Link>
          .
        </Callout>
      )}
      <Keys
        place={place}
        configs={configs}
        mayWrite={mayWrite}
        isAdding={isAdding && mayWrite}
        onAdded={() => setIsAdding(false)}
        addButton={addButton}
      />
      <KeyChoiceCard gateway={gateway} alias={configs[0]?.alias} />
    </GatewayPage>
  );
}

/** Whether a key is being added: kept in the address, so that other pages can lead to it. */
function useAdding({ accountId, gatewayId }: KeysPlace): [boolean, (isAdding: boolean) => void] {
  const { add }: KeySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (isAdding: boolean): void =>
    void navigate({
      to: '/accounts/$accountId/ai-gateway/gateways/$gatewayId/keys',
      params: { accountId, gatewayId },
      search: isAdding ? { add: ANY_PROVIDER } : {},
      replace: true,
      resetScroll: false,
    });
  return [add !== undefined, set];
}

interface KeysProps {
  place: KeysPlace;
  configs: readonly ProviderConfig[];
  mayWrite: boolean;
  isAdding: boolean;
  onAdded: () => void;
  addButton: ReactNode;
}

function Keys({ place, configs, mayWrite, isAdding, onAdded, addButton }: KeysProps) {
  const { add }: KeySearch = useSearch({ strict: false });
  // For their names: the page does without.
  const { data: own = NOBODY, isPending } = useQuery(allCustomProvidersQuery(place.accountId));
  const [edited, setEdited] = useState<ProviderConfig>();
  const [doomed, setDoomed] = useState<ProviderConfig>();
  const promotion = useMakeDefault(place);
  const deeds = { onEdit: setEdited, onMakeDefault: promotion.mutate, onDelete: setDoomed };
  const dialog = { place, configs, own };
  return (
    <>
      <Card isFlush>
        {configs.length === 0 ? (
          <NoKeys addButton={addButton} />
        ) : (
          <KeyTable configs={configs} own={own} deeds={mayWrite ? deeds : undefined} />
        )}
      </Card>
      {isAdding && !isPending && (
        <KeyDialog
          {...dialog}
          config={undefined}
          providerSlug={add === undefined || add === ANY_PROVIDER ? '' : add}
          onClose={onAdded}
        />
      )}
      {edited !== undefined && (
        <KeyDialog
          {...dialog}
          config={edited}
          providerSlug=""
          onClose={() => setEdited(undefined)}
        />
      )}
      {doomed !== undefined && (
        <DeleteKey
          place={place}
          config={doomed}
          configs={configs}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

function useMakeDefault(place: KeysPlace) {
  return useMutation({
    mutationFn: async ({ id }: ProviderConfig) => {
      await updateProviderConfig(place, id, { default_config: true });
      await refreshProviderConfigs(place);
    },
    onSuccess: (_nothing, { alias, provider_slug: slug }) =>
      toast(labels.isNowTheDefaultKey(alias, slug)),
    onError: (error) => toast({ tone: 'danger', text: describeFailure(error) }),
  });
}

function NoKeys({ addButton }: { addButton: ReactNode }) {
  return (
    <Empty icon={<KeyRound />} title={labels.noKeysYet} actions={addButton}>
      <p>{labels.storeTheKeyOfOpenai}</p>
      <p className="mt-2">{labels.withoutAStoredKey}</p>
    </Empty>
  );
}
