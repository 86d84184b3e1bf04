import { Plus, Trash2 } from '../../../ui/icons.tsx';
import { type FieldErrors, type UseFieldArrayReturn, useFieldArray } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { type ApiForm, useApiForm } from '../../../ui/form.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from '../labels.ts';
import {
  type MetadataEntry,
  type MetadataValue,
  readValue,
  writtenValue,
} from './metadata-entries.ts';

/** As many as the API takes. */
const MOST_ENTRIES = 5;

interface Values {
  entries: { name: string; value: string }[];
}

interface MetadataFormProps {
  entries: readonly MetadataEntry[];
  onSave: (metadata: Record<string, MetadataValue> | null) => Promise<void>;
  onClose: () => void;
}

/** Changes the metadata of a log: names with values. */
export function MetadataForm({ entries, onSave, onClose }: MetadataFormProps) {
  const written = entries.map(({ name, value }) => ({ name, value: writtenValue(value) }));
  const form = useApiForm<Values>({
    values: { entries: written.length === 0 ? [{ name: '', value: '' }] : written },
    fieldOf: () => 'entries',
    async save({ entries: filled }) {
      const pairs = filled.map(({ name, value }) => [name.trim(), readValue(value)] as const);
      await onSave(pairs.length === 0 ? null : Object.fromEntries(pairs));
      toast(labels.savedTheMetadata);
      onClose();
    },
  });
  const list = useFieldArray({ control: form.control, name: 'entries' });
  const { errors } = form.formState;
  const fault = errors.entries?.message ?? errors.entries?.root?.message;
  return (
    <form onSubmit={form.submit} noValidate className="space-y-3" aria-label={labels.metadata}>
      {form.guard}
      <h3 className="text-[0.9375rem] font-medium">{labels.metadata}</h3>
      <p className="text-sm text-muted">{labels.upToFiveEntriesNumbers}</p>
      {list.fields.map((field, index) => (
        <EntryFields key={field.id} form={form} list={list} index={index} errors={errors} />
      ))}
      {list.fields.length < MOST_ENTRIES && (
        <Button
          isSmall
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => list.append({ name: '', value: '' })}
        >
          {labels.addAnother}
        </Button>
      )}
      {fault !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
      <SaveFailure error={form.failure} />
      <div className="flex gap-2">
        <Button type="submit" look="primary" isSmall isBusy={form.isSaving}>
          {labels.saveMetadata}
        </Button>
        <Button isSmall onClick={onClose}>
          {labels.cancel}
        </Button>
      </div>
    </form>
  );
}

interface EntryFieldsProps {
  form: ApiForm<Values>;
  list: UseFieldArrayReturn<Values, 'entries'>;
  index: number;
  errors: FieldErrors<Values>;
}

function EntryFields({ form, list, index, errors }: EntryFieldsProps) {
  const nth = index + 1;
  const nameFault = (name: string, { entries }: Values): true | string => {
    if (name.trim() === '') return labels.enterANameOrRemove;
    const isTwice = entries.some((one, at) => at < index && one.name.trim() === name.trim());
    return isTwice ? labels.duplicateName : true;
  };
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1 space-y-1.5">
        <Field
          label={<span className="sr-only">{labels.name(nth)}</span>}
          error={errors.entries?.[index]?.name?.message}
        >
          <Input
            placeholder={labels.nameField}
            {...form.register(`entries.${index}.name`, { validate: nameFault })}
          />
        </Field>
        <Field label={<span className="sr-only">{labels.value(nth)}</span>}>
          <Input placeholder={labels.valueField} {...form.register(`entries.${index}.value`)} />
        </Field>
      </div>
      <IconButton
        label={labels.removeEntry(nth)}
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={() => list.remove(index)}
      />
    </div>
  );
}
