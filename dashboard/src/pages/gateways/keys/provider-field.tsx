import { Link } from '@tanstack/react-router';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { CUSTOM_PREFIX, type CustomProvider } from '../../../api/custom-providers.ts';
import { Field, Select } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { KNOWN_PROVIDERS } from './known-providers.ts';
import type { KeyValues } from './use-key-form.ts';

interface ProviderFieldProps {
  form: ApiForm<KeyValues>;
  own: readonly CustomProvider[];
}

/** For which provider a key is. */
export function ProviderField({ form, own }: ProviderFieldProps) {
  const { accountId } = useAccountOfPage();
  const params = { accountId };
  return (
    <Field
      label="Provider"
      error={form.formState.errors.provider_slug?.message}
      hint={
        <>
          Something else? Add it as a{' '}
          <Link
            to="/accounts/$accountId/ai-gateway/custom-providers"
            params={params}
            className="underline"
          >
            custom provider
          </Link>{' '}
          first.
        </>
      }
    >
      <Select
        {...form.register('provider_slug', {
          required: 'Choose the provider that the key is for.',
          // What was wrong with the key may be right for another provider.
          onChange: () => form.clearErrors(['secret', 'origin']),
        })}
      >
        <option value="">Choose a provider</option>
        {own.length > 0 && (
          <optgroup label="Your own">
            {own.map(({ id, slug, name, enable }) => (
              <option key={id} value={CUSTOM_PREFIX + slug}>
                {`${name} (${CUSTOM_PREFIX}${slug})${enable ? '' : ', switched off'}`}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Built in">
          {KNOWN_PROVIDERS.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </optgroup>
      </Select>
    </Field>
  );
}
