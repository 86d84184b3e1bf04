import { Field, Fieldset, Input } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { labels } from './labels.ts';
import type { KeyValues } from './use-key-form.ts';

// As the server has them.
const MOST_REQUESTS = 1_000_000_000;
const MOST_SECONDS = 2_592_000;

/** How many requests may be sent with a key. */
export function KeyLimitFields({ form }: { form: ApiForm<KeyValues> }) {
  const { errors } = form.formState;
  return (
    <Fieldset legend={labels.rateLimit} hint={labels.requestsAboveTheLimit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={labels.requests} isOptional error={errors.rate_limit?.message}>
          <Input
            inputMode="numeric"
            placeholder={labels.noLimit}
            {...form.register('rate_limit', {
              validate: (text) =>
                text.trim() === '' || isWhole(text, MOST_REQUESTS) || labels.enterAWholeNumber,
            })}
          />
        </Field>
        <Field label={labels.seconds} error={errors.rate_limit_period?.message}>
          <Input
            inputMode="numeric"
            {...form.register('rate_limit_period', {
              validate: (text, { rate_limit: limit }) =>
                limit.trim() === '' || isWhole(text, MOST_SECONDS) || labels.enterAWholeNumberFrom,
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
