import { useWatch } from 'react-hook-form';
import type { Gateway, GatewaySettings } from '../../../api/gateways.ts';
import { wholeNumber } from '../../../lib/time-span.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { labels } from './labels.ts';
import { NumberField, checkNumber } from './number-fields.tsx';
import { retryWords } from './setting-words.ts';
import { InWords, SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

interface RetryFields {
  retry_max_attempts: string;
  retry_delay: string;
  retry_backoff: 'constant' | 'linear' | 'exponential';
}

const LONGEST_WAIT_MS = 5_000;

function read(gateway: Gateway): RetryFields {
  const { retry_max_attempts: attempts, retry_delay: delay, retry_backoff: backoff } = gateway;
  return {
    retry_max_attempts: String(attempts || 1),
    retry_delay: String(delay ?? 0),
    retry_backoff: (backoff ?? 'constant') as RetryFields['retry_backoff'],
  };
}

function write({ retry_max_attempts, retry_delay, retry_backoff }: RetryFields) {
  return {
    retry_max_attempts: Number(retry_max_attempts),
    retry_delay: wholeNumber(retry_delay),
    retry_backoff,
  } satisfies Partial<GatewaySettings>;
}

/** What happens when a provider fails. */
export function RetrySettings() {
  const form = useSettingsForm<RetryFields>({ read, write });
  const { register, control, formState } = form;
  const fields = useWatch({ control }) as RetryFields;
  const delayMs = wholeNumber(fields.retry_delay);
  const { errors } = formState;
  return (
    <SettingsCard
      id="retries"
      title={labels.retries}
      lead={labels.appliesIfAProviderCant}
      form={form}
    >
      <div className="flex flex-wrap gap-x-4 gap-y-5">
        <Field
          label={labels.providerCalls}
          error={errors.retry_max_attempts?.message}
          className="w-52"
        >
          <Select {...register('retry_max_attempts')}>
            <option value="1">{labels.onceNoRetries}</option>
            {[2, 3, 4, 5].map((times) => (
              <option key={times} value={times}>
                {labels.upToTimes(times)}
              </option>
            ))}
          </Select>
        </Field>
        <NumberField
          label={labels.delayBetweenCallsMs}
          error={errors.retry_delay?.message}
          input={register('retry_delay', {
            validate: (text) => checkNumber(text, 0, LONGEST_WAIT_MS),
          })}
        />
        <Field label={labels.delay} error={errors.retry_backoff?.message} className="w-60">
          <Select {...register('retry_backoff')}>
            <option value="constant">{labels.constant}</option>
            <option value="linear">{labels.linear}</option>
            <option value="exponential">{labels.exponential}</option>
          </Select>
        </Field>
      </div>
      <InWords>
        {labels.ifAProviderRequests(
          Number.isNaN(delayMs)
            ? '–'
            : retryWords({
                attempts: Number(fields.retry_max_attempts),
                delayMs,
                backoff: fields.retry_backoff,
              }),
        )}
      </InWords>
      <p className="text-sm text-muted">
        Requests can override this with the headers <code>cf-aig-max-attempts</code>,{' '}
        <code>cf-aig-retry-delay</code> and <code>cf-aig-backoff</code>.
      </p>
    </SettingsCard>
  );
}
