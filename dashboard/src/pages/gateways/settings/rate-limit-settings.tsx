import { useWatch } from 'react-hook-form';
import type { Gateway, GatewaySettings } from '../../../api/gateways.ts';
import { type SpanDraft, spanDraft, spanSeconds, wholeNumber } from '../../../lib/time-span.ts';
import { Check, Fieldset } from '../../../ui/field.tsx';
import { labels } from './labels.ts';
import { NumberField, SpanField, checkNumber, checkSpan } from './number-fields.tsx';
import { rateLimitWords } from './setting-words.ts';
import { InWords, SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

interface RateLimitFields {
  isOn: boolean;
  rate_limiting_limit: string;
  interval: SpanDraft;
  rate_limiting_technique: 'fixed' | 'sliding';
}

const LONGEST = { seconds: 2_592_000, words: '30 days' };
const MOST_REQUESTS = 1_000_000_000;
const MINUTE = 60;
const SOME_REQUESTS = 100;

function read(gateway: Gateway): RateLimitFields {
  const { rate_limiting_limit: limit, rate_limiting_interval: interval } = gateway;
  return {
    isOn: Boolean(limit && interval),
    rate_limiting_limit: String(limit || SOME_REQUESTS),
    interval: spanDraft(interval || MINUTE),
    rate_limiting_technique: gateway.rate_limiting_technique === 'sliding' ? 'sliding' : 'fixed',
  };
}

function write(fields: RateLimitFields): Partial<GatewaySettings> {
  const { isOn, rate_limiting_limit, interval, rate_limiting_technique } = fields;
  return {
    rate_limiting_limit: isOn ? wholeNumber(rate_limiting_limit) : null,
    rate_limiting_interval: isOn ? spanSeconds(interval) : null,
    rate_limiting_technique,
  };
}

/** How many requests may pass. */
export function RateLimitSettings() {
  const form = useSettingsForm<RateLimitFields>({
    read,
    write,
    fieldOf: (path) => (path === 'rate_limiting_interval' ? 'interval.amount' : path),
  });
  const { register, control, formState } = form;
  const fields = useWatch({ control }) as RateLimitFields;
  return (
    <SettingsCard
      id="rate-limit"
      title={labels.rateLimit}
      lead={labels.maximumNumberOfRequests}
      form={form}
    >
      <Check label={labels.limitRequests} {...register('isOn')} />
      {fields.isOn && (
        <div className="space-y-5 border-l-2 border-line pl-5">
          <div className="flex flex-wrap gap-x-4 gap-y-5">
            <NumberField
              label={labels.requests}
              className="w-40"
              error={formState.errors.rate_limiting_limit?.message}
              input={register('rate_limiting_limit', {
                validate: (text, { isOn }) => !isOn || checkNumber(text, 1, MOST_REQUESTS),
              })}
            />
            <SpanField
              label={labels.period}
              error={formState.errors.interval?.amount?.message}
              amount={register('interval.amount', {
                validate: (_amount, { isOn, interval }) => !isOn || checkSpan(interval, LONGEST),
              })}
              unit={register('interval.unit')}
            />
          </div>
          <Fieldset legend={labels.window}>
            <div className="space-y-2">
              <Check
                type="radio"
                value="fixed"
                label={labels.fixedWindow}
                hint={labels.atAWindowBoundaryUp}
                {...register('rate_limiting_technique')}
              />
              <Check
                type="radio"
                value="sliding"
                label={labels.slidingWindow}
                hint={labels.neverMoreThanTheLimit}
                {...register('rate_limiting_technique')}
              />
            </div>
          </Fieldset>
        </div>
      )}
      <InWords>{words(fields)}</InWords>
    </SettingsCard>
  );
}

function words(fields: RateLimitFields): string {
  const requests = wholeNumber(fields.rate_limiting_limit);
  const seconds = spanSeconds(fields.interval);
  if (!fields.isOn || Number.isNaN(requests + seconds)) return labels.noLimit;
  return rateLimitWords({ requests, seconds, technique: fields.rate_limiting_technique });
}
