import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { gatewayUrlQuery } from '../../../api/gateway-url.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { Check } from '../../../ui/field.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import { labels } from './labels.ts';
import { HOST_TOKEN_HEADER, nativeProviders, nativeSnippets } from './native-snippets.ts';
import { SnippetTabs } from './snippet-tabs.tsx';

interface NativeConnectionProps {
  gateway: Gateway;
  /** Of the provider. */
  slug: string;
  sendsToken: boolean;
}

/** A provider's own API on the gateway host. */
export function NativeConnection({ gateway, slug, sendsToken }: NativeConnectionProps) {
  const { accountId } = useAccountOfPage();
  const [isOwnKey, setIsOwnKey] = useState(true);
  const provider = nativeProviders.find((each) => each.slug === slug);
  const address = useQuery(gatewayUrlQuery(accountId, gateway.id, slug));
  if (provider === undefined) return null;
  if (address.isError) {
    return <LoadFailure error={address.error} isUntitled onRetry={() => void address.refetch()} />;
  }
  const { key } = provider;
  const bringsKey = key !== undefined && isOwnKey;
  return (
    <>
      {key !== undefined && (
        <Check
          label={labels.sendAProviderKey}
          hint={labels.withoutAProviderKey}
          checked={isOwnKey}
          onChange={(event) => setIsOwnKey(event.target.checked)}
        />
      )}
      <ConnectionFacts
        address={address.data ?? '…'}
        headers={{
          ...(sendsToken && { [HOST_TOKEN_HEADER]: `Bearer $${TOKEN_VARIABLE}` }),
          ...(bringsKey && { [key.header]: `${key.scheme ?? ''} $${key.variable}`.trim() }),
        }}
      />
      {address.data !== undefined && (
        <SnippetTabs
          key={`${slug} ${bringsKey}`}
          name={provider.name}
          sendsToken={sendsToken}
          snippets={nativeSnippets(provider, { url: address.data, sendsToken, bringsKey })}
        >
          {labels.pathsBodiesAndModels}
        </SnippetTabs>
      )}
    </>
  );
}
