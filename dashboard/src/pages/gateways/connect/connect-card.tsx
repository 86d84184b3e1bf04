import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { gatewayModelsQuery } from '../../../api/gateway-models.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { gatewayUrl } from '../../../lib/site.ts';
import { Check, Field, Select } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { SuggestInput } from '../../../ui/suggest-input.tsx';
import { labels } from './labels.ts';
import { nativeProviders } from './native-snippets.ts';
import { NativeConnection } from './native-connection.tsx';
import { RestConnection } from './rest-connection.tsx';
import { restClients } from './rest-snippets.ts';

const NATIVE = 'native';
/** Built in: it needs no key. */
const LOCAL_MODEL = 'local/echo';

/** How programs reach a gateway: what each kind of client is to be told. */
export function ConnectCard({ gateway }: { gateway: Gateway }) {
  const [clientId, setClientId] = useState(restClients[0]?.id ?? NATIVE);
  const [model, setModel] = useState(LOCAL_MODEL);
  const [slug, setSlug] = useState(nativeProviders[0]?.slug ?? '');
  const [sendsToken, setSendsToken] = useState(false);
  const client = restClients.find(({ id }) => id === clientId);
  const withToken = gateway.authentication || sendsToken;
  return (
    <Card
      title={labels.connectAClient}
      lead={
        <>
          Most clients use the REST API, which is compatible with OpenAI and Anthropic and serves
          models of all providers. The gateway host,{' '}
          <span className="wrap-anywhere">{gatewayUrl}</span>, passes requests unchanged to the
          native API of one provider.
        </>
      }
      className="overflow-visible"
    >
      <div className="space-y-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={labels.client}>
            <Select value={clientId} onChange={(event) => setClientId(event.target.value)}>
              {restClients.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={NATIVE}>{labels.nativeProviderApi}</option>
            </Select>
          </Field>
          {client === undefined ? (
            <ProviderField slug={slug} onChange={setSlug} />
          ) : (
            <ModelField gateway={gateway} model={model} onChange={setModel} />
          )}
        </div>
        {!gateway.authentication && (
          <Check
            label={labels.sendAToken}
            hint={labels.thisGatewayIsOpenSo}
            checked={sendsToken}
            onChange={(event) => setSendsToken(event.target.checked)}
          />
        )}
        {client === undefined ? (
          <NativeConnection gateway={gateway} slug={slug} sendsToken={withToken} />
        ) : (
          <RestConnection
            key={client.id}
            gateway={gateway}
            client={client}
            model={model.trim() === '' ? LOCAL_MODEL : model.trim()}
            sendsToken={withToken}
          />
        )}
      </div>
    </Card>
  );
}

function ProviderField({ slug, onChange }: { slug: string; onChange: (slug: string) => void }) {
  return (
    <Field label={labels.provider}>
      <Select value={slug} onChange={(event) => onChange(event.target.value)}>
        {nativeProviders.map((provider) => (
          <option key={provider.slug} value={provider.slug}>
            {provider.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

interface ModelFieldProps {
  gateway: Gateway;
  model: string;
  onChange: (model: string) => void;
}

const MAX_MODEL_LENGTH = 256;

function ModelField({ gateway, model, onChange }: ModelFieldProps) {
  const access = useAccountOfPage();
  const [isLookedAt, setIsLookedAt] = useState(false);
  const { data = [] } = useQuery({
    ...gatewayModelsQuery(access.accountId, gateway.id),
    enabled: isLookedAt && access.can('ai-gateway.run'),
  });
  return (
    <Field label={labels.model}>
      <SuggestInput
        maxLength={MAX_MODEL_LENGTH}
        value={model}
        onChange={onChange}
        onFocus={() => setIsLookedAt(true)}
        suggestions={data.includes(LOCAL_MODEL) ? data : [LOCAL_MODEL, ...data]}
      />
    </Field>
  );
}
