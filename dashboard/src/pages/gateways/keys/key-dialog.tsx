import type { CustomProvider } from '../../../api/custom-providers.ts';
import type { KeysPlace, ProviderConfig } from '../../../api/provider-configs.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Check, Field, Input } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { providerName } from './key-words.ts';
import { knownProvider } from './known-providers.ts';
import { labels } from './labels.ts';
import { ProviderField } from './provider-field.tsx';
import { SecretField } from './secret-field.tsx';
import { type KeyValues, useKeyForm } from './use-key-form.ts';

interface KeyDialogProps {
  place: KeysPlace;
  /** Undefined: a new one is added. */
  config: ProviderConfig | undefined;
  /** Of a new one; empty: still to be chosen. */
  providerSlug: string;
  /** All that the gateway keeps. */
  configs: readonly ProviderConfig[];
  /** The account's own providers. */
  own: readonly CustomProvider[];
  onClose: () => void;
}

const LEAD = labels.theServerEncryptsTheKey;

/** Stores a provider's key, or changes one. */
export function KeyDialog(props: KeyDialogProps) {
  const { config, own, onClose } = props;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        config === undefined
          ? labels.addAKey
          : labels.keyOf(config.alias, providerName(config.provider_slug, own))
      }
      lead={config === undefined ? LEAD : undefined}
    >
      <KeyForm {...props} />
    </Dialog>
  );
}

function KeyForm({ place, config, providerSlug, configs, own, onClose }: KeyDialogProps) {
  const form = useKeyForm({ place, config, providerSlug, onSaved: onClose });
  const slug = form.watch('provider_slug');
  const provider = knownProvider(slug);
  return (
    <form onSubmit={form.submit} noValidate className="space-y-5">
      {form.guard}
      {config === undefined && <ProviderField form={form} own={own} />}
      {config === undefined && provider?.originHint !== undefined && (
        <OriginField form={form} hint={provider.originHint} />
      )}
      <SecretField form={form} config={config} provider={provider} />
      <AliasField form={form} />
      <DefaultField form={form} slug={slug} config={config} configs={configs} />
      <KeyLimitFields form={form} />
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {config === undefined ? labels.addKey : labels.saveKey}
        </Button>
      </Actions>
    </form>
  );
}

// Fields are components of their own, so that they are told to the form in the order in which they stand:
// the focus goes to the first one with a fault.

function OriginField({ form, hint }: { form: ApiForm<KeyValues>; hint: string }) {
  return (
    <Field label={labels.resourceUrl} hint={hint} error={form.formState.errors.origin?.message}>
      <Input
        inputMode="url"
        placeholder="https://my-resource.openai.azure.com"
        {...form.register('origin')}
      />
    </Field>
  );
}

function AliasField({ form }: { form: ApiForm<KeyValues> }) {
  return (
    <Field
      label={labels.alias}
      error={form.formState.errors.alias?.message}
      hint={
        <>
          Name of the key. Requests select it with the header{' '}
          <code className="font-mono text-xs wrap-anywhere">
            cf-aig-byok-alias: {form.watch('alias')}
          </code>
        </>
      }
    >
      <Input
        maxLength={64}
        spellCheck={false}
        {...form.register('alias', { validate: findAliasFault })}
      />
    </Field>
  );
}

const ALIAS = /^[A-Za-z0-9_.-]{1,64}$/;

function findAliasFault(text: string): string | undefined {
  const alias = text.trim();
  if (alias === '') return labels.enterAnAlias;
  return ALIAS.test(alias) ? undefined : labels.onlyLettersDigitsDotsHyphens;
}

interface DefaultFieldProps {
  form: ApiForm<KeyValues>;
  slug: string;
  config: ProviderConfig | undefined;
  configs: readonly ProviderConfig[];
}

/** Whether the key is used where a request names none. */
function DefaultField({ form, slug, config, configs }: DefaultFieldProps) {
  const isDefault = form.watch('default_config');
  const other = configs.find(
    ({ id, provider_slug: of, default_config: is }) => is && of === slug && id !== config?.id,
  );
  return (
    <Check
      label={labels.byDefault}
      hint={
        other !== undefined && isDefault
          ? labels.replacesAsTheDefaultCan(other.alias)
          : labels.forRequestsToThisProvider
      }
      {...form.register('default_config')}
    />
  );
}
