import { Field, Input, Select, Textarea } from '../../ui/field.tsx';
import type { ApiForm } from '../../ui/form.tsx';
import { labels } from './labels.ts';
import type { ProviderValues } from './use-provider-form.ts';

/** The API of a provider, its key header and its models. */
export function ApiFields({ form }: { form: ApiForm<ProviderValues> }) {
  const { errors } = form.formState;
  return (
    <>
      <Field label={labels.api} hint={labels.apiHint} error={errors.dialect?.message}>
        <Select {...form.register('dialect')}>
          {Object.entries(labels.dialects).map(([dialect, name]) => (
            <option key={dialect} value={dialect}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label={labels.keyHeader}
        isOptional
        hint={labels.keyHeaderHint}
        error={errors.key_header?.message}
      >
        <Input
          maxLength={64}
          spellCheck={false}
          placeholder="api-key"
          {...form.register('key_header')}
        />
      </Field>
      <Field
        label={labels.models}
        isOptional
        hint={labels.modelsHint}
        error={errors.models?.message}
      >
        <Textarea rows={3} spellCheck={false} {...form.register('models')} />
      </Field>
    </>
  );
}
