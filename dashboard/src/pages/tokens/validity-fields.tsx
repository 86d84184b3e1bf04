import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { ownSessionQuery } from '../../api/sessions.ts';
import { toLocalField } from '../../lib/local-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Textarea } from '../../ui/field.tsx';
import type { ApiForm } from '../../ui/form.tsx';
import { labels } from './labels.ts';
import { type TokenDraft, rangesOf, timeOf } from './token-draft.ts';
import { serverNow } from '../../lib/server-time.ts';
import { DAY_MS } from '../../lib/time-units.ts';

const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const SPANS = [
  { label: '30 days', days: 30 },
  { label: '90 days', days: 90 },
  { label: '1 year', days: 365 },
] as const;

/** When a new token expires as long as nobody says otherwise. */
export function defaultExpiry(nowMs: number): string {
  return afterDays(nowMs, 90);
}

function afterDays(nowMs: number, days: number): string {
  return toLocalField(new Date(nowMs + days * DAY_MS).toISOString());
}

/** From when until when a token is valid. */
export function ValidityFields({ form }: { form: ApiForm<TokenDraft> }) {
  const { control, register, setValue, formState } = form;
  const [openedMs] = useState(serverNow);
  const [expires, notBefore] = useWatch({ control, name: ['expires_on', 'not_before'] });
  const spans = [
    ...SPANS.map(({ label, days }) => ({ label, value: afterDays(openedMs, days) })),
    { label: labels.never, value: '' },
  ];
  return (
    <div className="space-y-5">
      <Field
        label={labels.expires}
        error={formState.errors.expires_on?.message}
        hint={expires === '' ? labels.aTokenWithoutExpiryWorks : utcOf(expires)}
      >
        <div className="flex flex-wrap items-center gap-2">
          <div className="min-w-0 grow basis-56">
            <Input type="datetime-local" {...register('expires_on')} />
          </div>
          <div role="group" aria-label={labels.expiresAfter} className="flex flex-wrap gap-1.5">
            {spans.map(({ label, value }) => (
              <Button
                key={label}
                isSmall
                look={value === expires ? 'primary' : 'plain'}
                aria-pressed={value === expires}
                onClick={() =>
                  setValue('expires_on', value, { shouldDirty: true, shouldValidate: true })
                }
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
      </Field>
      <Field
        label={labels.notValidBefore}
        isOptional
        error={formState.errors.not_before?.message}
        hint={notBefore === '' ? labels.leaveEmptyToStartImmediately : utcOf(notBefore)}
      >
        <Input type="datetime-local" {...register('not_before')} />
      </Field>
      <p className="text-sm text-muted">{labels.timesAreInYourTime(TIME_ZONE)}</p>
    </div>
  );
}

function utcOf(local: string): string {
  const time = timeOf(local);
  return time === undefined ? '' : labels.utc(time.replace('T', ' ').replace(/:00Z$|Z$/, ''));
}

/** From which addresses a token works. */
export function AddressFields({ form }: { form: ApiForm<TokenDraft> }) {
  const { control, register, setValue, formState } = form;
  const { data: session } = useQuery(ownSessionQuery);
  const own = session?.ip;
  const from = useWatch({ control, name: 'from' });
  const isMissing = typeof own === 'string' && !rangesOf(from).includes(own);
  return (
    <div className="space-y-5">
      <Field
        label={labels.allowedAddresses}
        isOptional
        error={formState.errors.from?.message}
        hint={
          <>
            One address or range per line, such as <code>203.0.113.7</code> or{' '}
            <code>2001:db8::/32</code>. Leave empty to allow any address.
            {typeof own === 'string' && labels.isYourAddress(own)}
          </>
        }
      >
        <Textarea rows={3} spellCheck={false} className="font-mono" {...register('from')} />
      </Field>
      {isMissing && (
        <Button
          isSmall
          onClick={() => {
            const next = [...rangesOf(from), own].join('\n');
            setValue('from', next, { shouldDirty: true });
          }}
        >
          {labels.addAddress(own)}
        </Button>
      )}
      <Field
        label={labels.deniedAddresses}
        isOptional
        error={formState.errors.not_from?.message}
        hint={labels.exceptionsFromTheAllowedAddresses}
      >
        <Textarea rows={2} spellCheck={false} className="font-mono" {...register('not_from')} />
      </Field>
    </div>
  );
}
