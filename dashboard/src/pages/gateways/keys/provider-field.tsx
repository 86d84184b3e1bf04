import { Link } from '@tanstack/react-router';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { CUSTOM_PREFIX, type CustomProvider } from '../../../api/custom-providers.ts';
import { Field, Select } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { KNOWN_PROVIDERS } from './known-providers.ts';
import { labels } from './labels.ts';
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
      label={labels.provider}
      error={form.formState.errors.provider_slug?.message}
      hint={
        <>
          Other provider? Add it as a{' '}
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
          required: labels.chooseAProvider,
          // What was wrong with the key may be right for another provider.
          onChange: () => form.clearErrors(['secret', 'origin']),
        })}
      >
        <option value="">{labels.chooseProviderOption}</option>
        {own.length > 0 && (
          <optgroup label={labels.custom}>
            {own.map(({ id, slug, name, enable }) => (
              <option key={id} value={CUSTOM_PREFIX + slug}>
                {`${name} (${CUSTOM_PREFIX}${slug})${enable ? '' : labels.disabledSuffix}`}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={labels.builtIn}>
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
