import { Plus, Trash2 } from '../../../ui/icons.tsx';
import { useId } from 'react';
import { useFieldArray } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Fieldset, Input } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { labels } from './labels.ts';
import { type OtelDraft, fieldOfOtel, readOtel, writeOtel } from './otel-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

const MOST_COLLECTORS = 5;
const MOST_HEADERS = 16;
const WEB_ADDRESS = /^https?:\/\/[!-~]+$/;

/** Where a span of each request is sent. */
export function OtelSettings() {
  const addId = useId();
  const form = useSettingsForm<OtelDraft>({
    read: readOtel,
    write: writeOtel,
    fieldOf: fieldOfOtel,
  });
  const { fields, append, remove } = useFieldArray({
    control: form.control,
    name: 'targets',
    keyName: 'rowKey',
  });
  const takeAway = (index: number): void => {
    remove(index);
    document.getElementById(addId)?.focus();
  };
  return (
    <SettingsCard
      id="opentelemetry"
      title={labels.opentelemetry}
      lead={labels.exportsEachRequest}
      form={form}
    >
      {fields.length === 0 && (
        <p className="text-[0.9375rem] text-muted">{labels.noCollectorsSpansAreNot}</p>
      )}
      <ol className="space-y-3">
        {fields.map(({ rowKey }, index) => (
          <Collector key={rowKey} form={form} index={index} onRemove={() => takeAway(index)} />
        ))}
      </ol>
      {form.formState.errors.targets?.message !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {form.formState.errors.targets.message}
        </p>
      )}
      {fields.length < MOST_COLLECTORS && (
        <Button
          id={addId}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append({ url: '', authorization: '', headers: [] })}
        >
          {labels.addCollector}
        </Button>
      )}
    </SettingsCard>
  );
}

interface CollectorProps {
  form: ApiForm<OtelDraft>;
  index: number;
  onRemove: () => void;
}

function Collector({ form, index, onRemove }: CollectorProps) {
  const { register, formState } = form;
  const errors = formState.errors.targets?.[index];
  const number = index + 1;
  const path = `targets.${index}` as const;
  return (
    <li aria-label={labels.collector(number)} className="rounded-lg border border-line">
      <div className="flex items-center justify-between bg-sunken py-1.5 pr-2 pl-4">
        <h3 className="text-sm font-semibold">{labels.collector(number)}</h3>
        <IconButton
          label={labels.removeCollector(number)}
          icon={<Trash2 aria-hidden className="size-4" />}
          onClick={onRemove}
        />
      </div>
      <div className="space-y-5 border-t border-line px-4 py-4">
        <Field
          label={labels.url}
          error={errors?.url?.message}
          hint={
            <>
              URL of an OTLP/HTTP collector. The gateway appends <code>/v1/traces</code> to a base
              URL.
            </>
          }
        >
          <Input
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder="https://otlp.example.com"
            {...register(`${path}.url`, {
              validate: (text) => WEB_ADDRESS.test(text.trim()) || labels.enterAUrlThatStarts,
            })}
          />
        </Field>
        <Field
          label={labels.authorization}
          isOptional
          error={errors?.authorization?.message}
          hint={labels.headerValueAfterSaving}
        >
          <Input
            spellCheck={false}
            placeholder={labels.bearer}
            className="font-mono"
            {...register(`${path}.authorization`)}
          />
        </Field>
        <Headers form={form} index={index} />
      </div>
    </li>
  );
}

// RFC 9110 section 5.6.2.
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

function Headers({ form, index }: Omit<CollectorProps, 'onRemove'>) {
  const id = useId();
  const { register, control, formState } = form;
  const { fields, append, remove } = useFieldArray({
    control,
    name: `targets.${index}.headers`,
    keyName: 'rowKey',
  });
  const takeAway = (row: number): void => {
    remove(row);
    document.getElementById(id)?.focus();
  };
  return (
    <Fieldset legend={labels.otherHeaders} hint={labels.valuesAreStoredAndShown}>
      <ul className="space-y-3">
        {fields.map(({ rowKey }, row) => {
          const path = `targets.${index}.headers.${row}` as const;
          const errors = formState.errors.targets?.[index]?.headers?.[row];
          return (
            <li
              key={rowKey}
              className="grid items-start gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
            >
              <Field label={labels.name} error={errors?.name?.message}>
                <Input
                  spellCheck={false}
                  placeholder="x-team"
                  {...register(`${path}.name`, {
                    validate: (name, { targets }) => checkName(name, targets[index]?.headers ?? []),
                  })}
                />
              </Field>
              <Field label={labels.value} error={errors?.value?.message}>
                <Input
                  spellCheck={false}
                  className="font-mono"
                  {...register(`${path}.value`, {
                    validate: (value) => value.trim() !== '' || labels.enterAValue,
                  })}
                />
              </Field>
              <IconButton
                label={labels.removeThisHeader}
                icon={<Trash2 aria-hidden className="size-4" />}
                className="sm:mt-7"
                onClick={() => takeAway(row)}
              />
            </li>
          );
        })}
      </ul>
      {fields.length < MOST_HEADERS && (
        <Button
          id={id}
          isSmall
          className={fields.length > 0 ? 'mt-3' : undefined}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append({ name: '', value: '' })}
        >
          {labels.addHeader}
        </Button>
      )}
    </Fieldset>
  );
}

function checkName(name: string, headers: readonly { name: string }[]): string | true {
  const wanted = name.trim().toLowerCase();
  if (!HEADER_NAME.test(wanted)) return labels.onlyLettersDigitsAnd;
  const isTwice =
    headers.filter((header) => header.name.trim().toLowerCase() === wanted).length > 1;
  return isTwice ? labels.duplicateHeader : true;
}
