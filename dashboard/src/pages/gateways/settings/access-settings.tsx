import { useWatch } from 'react-hook-form';
import { Badge, Callout } from '../../../ui/badge.tsx';
import { Check } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { AuthenticationSwitch } from '../token/authentication-switch.tsx';
import { CreateToken, useTokenDialogs } from '../token/gateway-token.tsx';
import { labels } from './labels.ts';
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
            {isOn ? (
              <Badge tone="good">{labels.on}</Badge>
            ) : (
              <Badge tone="warning">{labels.off}</Badge>
            )}
          </span>
        }
        lead={labels.requiresAnApiToken}
        footer={
          <>
            <AuthenticationSwitch look={isOn ? 'plain' : 'primary'} />
            <CreateToken onClick={token.open} />
          </>
        }
      >
        <p className="text-[0.9375rem]">
          {isOn ? labels.requestsWithoutAValidToken : labels.anyClientThatCanReach}
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
      title={labels.storedKeysForUnauthenticatedClients}
      lead={labels.clientsWithAValidToken}
      form={form}
    >
      <Check
        label={labels.letAllClientsUse}
        hint={
          gateway.authentication
            ? labels.noEffectWhileAuthenticatedGateway
            : labels.keysFromTheServerSettings
        }
        {...form.register('allow_stored_keys_unauthenticated')}
      />
      {isLent && (
        <Callout tone={gateway.authentication ? 'neutral' : 'danger'}>
          {gateway.authentication
            ? labels.ifYouTurnOffAuthenticated
            : labels.anyClientThatCanReachThis}
        </Callout>
      )}
    </SettingsCard>
  );
}

interface OwnKeyFields {
  byok_only: boolean;
}

/** Switches off the operator's provider keys for the gateway. */
export function OwnKeySettings() {
  const form = useSettingsForm<OwnKeyFields>({
    read: ({ byok_only }) => ({ byok_only }),
    write: (fields) => fields,
  });
  return (
    <SettingsCard id="own-keys" title={labels.ownKeysTitle} lead={labels.ownKeysLead} form={form}>
      <Check
        label={labels.requireOwnKeys}
        hint={labels.requireOwnKeysHint}
        {...form.register('byok_only')}
      />
    </SettingsCard>
  );
}
