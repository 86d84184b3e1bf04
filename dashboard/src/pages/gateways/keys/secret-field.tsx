import type { ProviderConfig } from '../../../api/provider-configs.ts';
import { Field, PasswordInput, Textarea } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { type KnownProvider, findSecretFault } from './known-providers.ts';
import { labels } from './labels.ts';
import type { KeyValues } from './use-key-form.ts';

interface SecretFieldProps {
  form: ApiForm<KeyValues>;
  /** The key that is changed; undefined: a new one. */
  config: ProviderConfig | undefined;
  /** Undefined: one of the account's own, or none yet. */
  provider: KnownProvider | undefined;
}

const OF_OWN = labels.sentAsAuthorizationBearer;

/** The key itself: of one that is stored already there is nothing to see. */
export function SecretField({ form, config, provider }: SecretFieldProps) {
  const isChosen = form.watch('provider_slug') !== '';
  const hint = provider?.keyHint ?? (isChosen ? OF_OWN : undefined);
  const registered = form.register('secret', {
    ...(config === undefined && { required: labels.enterTheKey }),
    validate: (text: string) => findSecretFault(text, provider),
  });
  const placeholder = config === undefined ? provider?.placeholder : config.secret_preview;
  return (
    <Field
      label={config === undefined ? labels.key : labels.newKey}
      isOptional={config !== undefined}
      error={form.formState.errors.secret?.message}
      hint={
        config === undefined ? (
          hint
        ) : (
          <>
            Leave empty to keep the current key ({config.secret_preview}). A new key takes effect
            immediately. {hint}
          </>
        )
      }
    >
      {provider?.jsonMembers === undefined ? (
        <PasswordInput
          what="key"
          // Not that of the person: browsers are not to offer that.
          autoComplete="new-password"
          spellCheck={false}
          placeholder={placeholder}
          {...registered}
        />
      ) : (
        <Textarea
          rows={5}
          spellCheck={false}
          placeholder={placeholder}
          className="font-mono text-sm"
          {...registered}
        />
      )}
    </Field>
  );
}
