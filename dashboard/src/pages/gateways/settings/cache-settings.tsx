import { useWatch } from 'react-hook-form';
import type { Gateway, GatewaySettings } from '../../../api/gateways.ts';
import { type SpanDraft, spanDraft, spanSeconds, spanWords } from '../../../lib/time-span.ts';
import { Check } from '../../../ui/field.tsx';
import { labels } from './labels.ts';
import { SpanField, checkSpan } from './number-fields.tsx';
import { InWords, SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

interface CacheFields {
  isOn: boolean;
  ttl: SpanDraft;
  cache_invalidate_on_update: boolean;
}

const LONGEST = { seconds: 2_592_000, words: '30 days' };
const FIVE_MINUTES = 300;

function read({ cache_ttl: seconds, cache_invalidate_on_update }: Gateway): CacheFields {
  return {
    isOn: seconds !== null && seconds > 0,
    ttl: spanDraft(seconds || FIVE_MINUTES),
    cache_invalidate_on_update,
  };
}

function write({ isOn, ttl, cache_invalidate_on_update }: CacheFields): Partial<GatewaySettings> {
  return { cache_ttl: isOn ? spanSeconds(ttl) : null, cache_invalidate_on_update };
}

/** Whether answers are given again. */
export function CacheSettings() {
  const form = useSettingsForm<CacheFields>({
    read,
    write,
    fieldOf: (path) => (path === 'cache_ttl' ? 'ttl.amount' : path),
  });
  const { register, control, formState } = form;
  const { isOn, ttl } = useWatch({ control }) as CacheFields;
  const seconds = spanSeconds(ttl);
  return (
    <SettingsCard
      id="cache"
      title={labels.cache}
      lead={labels.repeatedRequestsGetTheStored}
      form={form}
    >
      <Check
        label={labels.cacheResponses}
        hint={
          <>
            Requests can override this with the headers <code>cf-aig-cache-ttl</code> and{' '}
            <code>cf-aig-skip-cache</code>.
          </>
        }
        {...register('isOn')}
      />
      {isOn && (
        <div className="border-l-2 border-line pl-5">
          <SpanField
            label={labels.duration}
            error={formState.errors.ttl?.amount?.message}
            amount={register('ttl.amount', {
              validate: (_amount, fields) => !fields.isOn || checkSpan(fields.ttl, LONGEST),
            })}
            unit={register('ttl.unit')}
          />
        </div>
      )}
      <Check
        label={labels.clearTheCacheWhenSettings}
        hint={labels.anyChangeOfTheGateway}
        {...register('cache_invalidate_on_update')}
      />
      <InWords>
        {isOn && !Number.isNaN(seconds)
          ? labels.aClientThatRepeats(spanWords(seconds))
          : labels.eachRequestGoes}
      </InWords>
    </SettingsCard>
  );
}
