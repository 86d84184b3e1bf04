import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CUSTOM_PREFIX, type CustomProvider } from '../../api/custom-providers.ts';
import { gatewaysQuery } from '../../api/gateways.ts';
import { baseUrl, gatewayUrl } from '../../lib/site.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { StackedFact, StackedFacts } from '../../ui/page.tsx';
import { labels } from './labels.ts';

interface ReachDialogProps {
  accountId: string;
  provider: CustomProvider;
  /** It was added this moment. */
  isNew: boolean;
  onClose: () => void;
}

// It appears at its first use.
const DEFAULT = 'default';

/** How requests reach a custom provider, and where its key goes. */
export function ReachDialog({ accountId, provider, isNew, onClose }: ReachDialogProps) {
  const { data: gateways = [] } = useQuery(gatewaysQuery(accountId));
  const ids = [...new Set([DEFAULT, ...gateways.map(({ id }) => id)])];
  const [chosen, setChosen] = useState<string>();
  const hasDefault = gateways.some(({ id }) => id === DEFAULT);
  const gatewayId = chosen ?? (hasDefault ? DEFAULT : (gateways[0]?.id ?? DEFAULT));
  const name = CUSTOM_PREFIX + provider.slug;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? labels.added(provider.name) : labels.howToUse(provider.name)}
      isWide
    >
      <div className="space-y-5">
        {!provider.enable && (
          <Callout tone="warning">{labels.theProviderIsDisabledRequests}</Callout>
        )}
        <Field label={labels.gateway} hint={labels.itsLimitsApply}>
          <Select value={gatewayId} onChange={(event) => setChosen(event.target.value)}>
            {ids.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
        </Field>
        <StackedFacts>
          <StackedFact name={labels.asAModelForOpenai}>
            <CopyText text={`${name}/model`} label={labels.copyModelName} />
          </StackedFact>
          <StackedFact name={labels.nativeApiTheGatewayAppends(provider.base_url)}>
            <CopyText
              text={`${gatewayUrl}/v1/${accountId}/${gatewayId}/${name}`}
              label={labels.copyUrl}
            />
          </StackedFact>
        </StackedFacts>
        <CodeBlock text={exampleOf(accountId, gatewayId, name)} label={labels.example} />
        <p className="text-[0.9375rem]">
          Does the provider require a key?{' '}
          <StoreKey accountId={accountId} gateways={gateways} gatewayId={gatewayId} name={name} />
        </p>
      </div>
      <Actions>
        <Button onClick={onClose}>{labels.done}</Button>
      </Actions>
    </Dialog>
  );
}

interface StoreKeyProps {
  accountId: string;
  gateways: readonly { id: string }[];
  gatewayId: string;
  name: string;
}

function StoreKey({ accountId, gateways, gatewayId, name }: StoreKeyProps) {
  if (!gateways.some(({ id }) => id === gatewayId)) {
    return <>{labels.theGatewayIsCreated(gatewayId)}</>;
  }
  return (
    <>
      <Link
        to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/keys"
        params={{ accountId, gatewayId }}
        search={{ add: name }}
        className="underline"
      >
        {labels.storeItIn(gatewayId)}
      </Link>
      . The gateway sends the key as Authorization: Bearer.
    </>
  );
}

function exampleOf(accountId: string, gatewayId: string, name: string): string {
  const body = { model: `${name}/model`, messages: [{ role: 'user', content: labels.hello }] };
  return [
    `curl ${baseUrl}/accounts/${accountId}/ai/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\`,
    ...(gatewayId === DEFAULT ? [] : [`  -H "cf-aig-gateway-id: ${gatewayId}" \\`]),
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
