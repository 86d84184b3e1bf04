import { useAccountOfPage } from '../../../api/accounts.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { baseUrl } from '../../../lib/site.ts';
import { ConnectionFacts } from './connection-facts.tsx';
import { labels } from './labels.ts';
import { type RestClient, gatewayHeaders } from './rest-snippets.ts';
import { SnippetTabs } from './snippet-tabs.tsx';

interface RestConnectionProps {
  gateway: Gateway;
  client: RestClient;
  model: string;
  sendsToken: boolean;
}

/** A client of the REST API. */
export function RestConnection({ gateway, client, model, sendsToken }: RestConnectionProps) {
  const { accountId } = useAccountOfPage();
  const target = {
    rest: `${baseUrl}/accounts/${accountId}/ai`,
    baseUrl,
    accountId,
    gatewayId: gateway.id,
    model,
    sendsToken,
  };
  const { tokenHeader } = client;
  const scheme = tokenHeader === 'Authorization' ? labels.bearer : '';
  return (
    <>
      <ConnectionFacts
        address={client.address(target)}
        headers={{
          ...(sendsToken && { [tokenHeader]: `${scheme}$${TOKEN_VARIABLE}` }),
          ...gatewayHeaders(target),
        }}
      />
      <SnippetTabs name={client.name} snippets={client.snippets(target)} sendsToken={sendsToken}>
        {client.lead}
        {!sendsToken && client.id !== 'curl' && client.id !== 'run' && NO_TOKEN}
      </SnippetTabs>
    </>
  );
}

const NO_TOKEN = ' SDKs require a key. Any text works here.';
