import { Field, Fieldset, Input } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import type { KeyValues } from './use-key-form.ts';

// As the server has them.
const MOST_REQUESTS = 1_000_000_000;
const MOST_SECONDS = 2_592_000;

/** How many requests may be sent with a key. */
export function KeyLimitFields({ form }: { form: ApiForm<KeyValues> }) {
  const { errors } = form.formState;
  return (
    <Fieldset
      legend="Rate limit"
      hint="Requests above it are refused with error 2003, so that you stay below a limit of the provider. Leave it empty for no limit."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Requests" isOptional error={errors.rate_limit?.message}>
          <Input
            inputMode="numeric"
            placeholder="No limit"
            {...form.register('rate_limit', {
              validate: (text) =>
                text.trim() === '' ||
                isWhole(text, MOST_REQUESTS) ||
                'A whole number from 1 to 1,000,000,000, or nothing.',
            })}
          />
        </Field>
        <Field label="In how many seconds" error={errors.rate_limit_period?.message}>
          <Input
            inputMode="numeric"
            {...form.register('rate_limit_period', {
              validate: (text, { rate_limit: limit }) =>
                limit.trim() === '' ||
                isWhole(text, MOST_SECONDS) ||
                'A whole number from 1 to 2,592,000, which is 30 days.',
            })}
          />
        </Field>
      </div>
    </Fieldset>
  );
}

function isWhole(text: string, most: number): boolean {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most;
}
