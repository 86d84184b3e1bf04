import { type BaseUrlFinding, findBaseUrlFault } from '../../lib/provider-base-url.ts';
import { baseUrl, gatewayUrl } from '../../lib/site.ts';
import { Callout } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Field, Input } from '../../ui/field.tsx';
import type { ApiForm } from '../../ui/form.tsx';
import { labels } from './labels.ts';
import type { ProviderValues } from './use-provider-form.ts';

const OWN_ORIGINS = [baseUrl, gatewayUrl].flatMap((url) => URL.parse(url)?.origin ?? []);

const HINT = labels.baseUrlOfTheProviders;

interface BaseUrlFieldProps {
  form: ApiForm<ProviderValues>;
  /** What the server has taken already. */
  accepted: string | undefined;
}

/** The address of a provider, with what is wrong with it while it is typed. */
export function BaseUrlField({ form, accepted }: BaseUrlFieldProps) {
  const { errors, touchedFields } = form.formState;
  const text = form.watch('base_url').trim();
  const finding = text === '' || text === accepted ? {} : findBaseUrlFault(text, OWN_ORIGINS);
  // Nobody is told of a fault in the middle of a word.
  const early = touchedFields.base_url === true ? finding.fault : undefined;
  return (
    <div className="space-y-2">
      <Field label={labels.baseUrl} hint={HINT} error={errors.base_url?.message ?? early}>
        <Input
          inputMode="url"
          spellCheck={false}
          placeholder="https://models.example.com/v1"
          {...form.register('base_url', {
            validate: (typed) => findBaseUrlFault(typed.trim(), OWN_ORIGINS).fault,
          })}
        />
      </Field>
      <div role="status">
        <Doubt finding={finding} />
      </div>
    </div>
  );
}

/** Why the server will perhaps not take an address, and who can help. */
function Doubt({ finding: { doubt, entry } }: { finding: BaseUrlFinding }) {
  if (doubt === undefined || entry === undefined) return null;
  return (
    <Callout tone="warning">
      <p>{labels.byDefaultThisServerCalls(doubt)}</p>
      <p className="mt-1.5">
        <CopyText text={entry} label={labels.copyEntry} />
      </p>
    </Callout>
  );
}
