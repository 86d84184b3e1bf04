import type { ProviderConfig } from '../../../api/provider-configs.ts';
import { Field, PasswordInput, Textarea } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { type KnownProvider, findSecretFault } from './known-providers.ts';
import type { KeyValues } from './use-key-form.ts';

interface SecretFieldProps {
  form: ApiForm<KeyValues>;
  /** The key that is changed; undefined: a new one. */
  config: ProviderConfig | undefined;
  /** Undefined: one of the account's own, or none yet. */
  provider: KnownProvider | undefined;
}

const OF_OWN = 'It is sent as Authorization: Bearer, as the OpenAI API has it.';

/** The key itself: of one that is stored already there is nothing to see. */
export function SecretField({ form, config, provider }: SecretFieldProps) {
  const isChosen = form.watch('provider_slug') !== '';
  const hint = provider?.keyHint ?? (isChosen ? OF_OWN : undefined);
  const registered = form.register('secret', {
    ...(config === undefined && { required: 'Paste the key.' }),
    validate: (text: string) => findSecretFault(text, provider),
  });
  const placeholder = config === undefined ? provider?.placeholder : config.secret_preview;
  return (
    <Field
      label={config === undefined ? 'Key' : 'New key'}
      isOptional={config !== undefined}
      error={form.formState.errors.secret?.message}
      hint={
        config === undefined ? (
          hint
        ) : (
          <>
            Left empty, the present key ({config.secret_preview}) stays. A new one is used at once,
            and the old one no more. {hint}
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
