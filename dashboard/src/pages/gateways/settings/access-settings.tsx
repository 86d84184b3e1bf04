import { useWatch } from 'react-hook-form';
import { Badge, Callout } from '../../../ui/badge.tsx';
import { Check } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { AuthenticationSwitch } from '../token/authentication-switch.tsx';
import { CreateToken, useTokenDialogs } from '../token/gateway-token.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

/** Who may send requests: the switch, which takes effect at once, after a question. */
export function AccessSettings() {
  const { gateway } = useGatewayOfPage();
  const token = useTokenDialogs();
  const isOn = gateway.authentication;
  return (
    <section id="authentication" className="scroll-mt-6">
      <Card
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            Authenticated Gateway
            {isOn ? <Badge tone="good">On</Badge> : <Badge tone="warning">Off</Badge>}
          </span>
        }
        lead="Whether each request has to carry an API token that may run requests through this gateway."
        footer={
          <>
            <AuthenticationSwitch look={isOn ? 'plain' : 'primary'} />
            <CreateToken onClick={token.open} />
          </>
        }
      >
        <p className="text-[0.9375rem]">
          {isOn
            ? 'Requests without a valid token are refused with status 401. They leave no row in the log, and no provider is called.'
            : 'Anybody who can reach this server can send requests. Create a token, send it on each request, and then switch this on.'}
        </p>
      </Card>
      {token.dialogs}
    </section>
  );
}

interface LendingFields {
  allow_stored_keys_unauthenticated: boolean;
}

/** Whether callers without a token may use the provider keys that the gateway keeps. */
export function LendingSettings() {
  const { gateway } = useGatewayOfPage();
  const form = useSettingsForm<LendingFields>({
    read: ({ allow_stored_keys_unauthenticated }) => ({ allow_stored_keys_unauthenticated }),
    write: (fields) => fields,
  });
  const isLent = useWatch({ control: form.control, name: 'allow_stored_keys_unauthenticated' });
  return (
    <SettingsCard
      id="stored-keys"
      title="Stored keys for callers without a token"
      lead="Callers with a valid token use the provider keys that this gateway keeps. Others bring a key of their own."
      form={form}
    >
      <Check
        label="Lend the stored keys to everybody"
        hint={
          gateway.authentication
            ? 'Has no effect while Authenticated Gateway is on: nobody gets through without a token then.'
            : 'The keys of the server itself are never lent to callers without a token.'
        }
        {...form.register('allow_stored_keys_unauthenticated')}
      />
      {isLent && (
        <Callout tone={gateway.authentication ? 'neutral' : 'danger'}>
          {gateway.authentication
            ? 'As soon as Authenticated Gateway is switched off, anybody who can reach this server can spend your money with the providers.'
            : 'Anybody who can reach this server can spend your money with the providers, up to the spend limits.'}
        </Callout>
      )}
    </SettingsCard>
  );
}
