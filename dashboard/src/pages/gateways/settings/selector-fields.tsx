import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { type FieldPath, useFieldArray, useWatch } from 'react-hook-form';
import type { ApiToken } from '../../../api/tokens.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Fieldset, Input, Select, Textarea } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { type SpendDraft, linesOf } from './spend-draft.ts';

const MOST_KEYS = 5;

/** What a rule can choose by, in words. */
const WORDS = {
  model: {
    label: 'Models',
    all: 'All models together',
    partition: 'Each model by itself',
    filter: 'Only some models',
    hint: 'One per line, as the provider names it, or with the provider: openai/gpt-4o-mini.',
  },
  provider: {
    label: 'Providers',
    all: 'All providers together',
    partition: 'Each provider by itself',
    filter: 'Only some providers',
    hint: 'One per line, such as openai or custom-team.',
  },
  token: {
    label: 'Callers',
    all: 'All callers together',
    partition: 'Each token by itself',
    filter: 'Only some tokens',
    hint: 'IDs of API tokens or of OAuth clients, one per line.',
  },
  user: {
    label: 'Users',
    all: 'All users together',
    partition: 'Each user by itself',
    filter: 'Only some users',
    hint: 'IDs of the users on whose behalf requests are made, one per line.',
  },
  oauth_client: {
    label: 'OAuth clients',
    all: 'All OAuth clients together',
    partition: 'Each OAuth client by itself',
    filter: 'Only some OAuth clients',
    hint: 'Client IDs, one per line.',
  },
} as const;

interface RulePlace {
  form: ApiForm<SpendDraft>;
  index: number;
}

interface SelectorFieldsProps extends RulePlace {
  name: keyof typeof WORDS;
  /** Of the account, where the person may see them. */
  tokens?: readonly ApiToken[];
}

/** What of the requests a rule takes in, by one of their properties. */
export function SelectorFields({ form, index, name, tokens = [] }: SelectorFieldsProps) {
  const words = WORDS[name];
  const path = `rules.${index}.${name}` as const;
  const { mode, values } = useWatch({ control: form.control, name: path });
  const add = (id: string): void => {
    const next = [...new Set([...linesOf(values), id])].join('\n');
    form.setValue(`${path}.values`, next, { shouldDirty: true, shouldValidate: true });
  };
  return (
    <div className="min-w-0 space-y-2">
      <Field label={words.label}>
        <Select {...form.register(`${path}.mode`)}>
          <option value="all">{words.all}</option>
          <option value="partition">{words.partition}</option>
          <option value="filter">{words.filter}</option>
        </Select>
      </Field>
      {mode === 'filter' && (
        <ValuesField
          form={form}
          path={path}
          label={`${words.label} that count`}
          hint={words.hint}
          error={form.formState.errors.rules?.[index]?.[name]?.values?.message}
        />
      )}
      {mode === 'filter' && name === 'token' && tokens.length > 0 && (
        <Select
          aria-label="Add a token"
          value=""
          onChange={({ target }) => target.value !== '' && add(target.value)}
        >
          <option value="">Add a token…</option>
          {tokens.map((token) => (
            <option key={token.id} value={token.id}>
              {token.name}
            </option>
          ))}
        </Select>
      )}
    </div>
  );
}

interface ValuesFieldProps {
  form: ApiForm<SpendDraft>;
  path:
    | `rules.${number}.model`
    | `rules.${number}.provider`
    | `rules.${number}.token`
    | `rules.${number}.user`
    | `rules.${number}.oauth_client`
    | `rules.${number}.metadata.${number}`;
  label: string;
  hint: ReactNode;
  error: string | undefined;
}

function ValuesField({ form, path, label, hint, error }: ValuesFieldProps) {
  const name: FieldPath<SpendDraft> = `${path}.values`;
  return (
    <Field label={label} hint={hint} error={error}>
      <Textarea
        rows={3}
        spellCheck={false}
        className="font-mono text-sm"
        {...form.register(name, {
          validate: (text) => linesOf(text).length > 0 || 'Name at least one.',
        })}
      />
    </Field>
  );
}

/** What a rule takes in by the metadata that requests bring. */
export function MetadataFields({ form, index }: RulePlace) {
  const id = useId();
  const name = `rules.${index}.metadata` as const;
  const { fields, append, remove } = useFieldArray({
    control: form.control,
    name,
    keyName: 'rowKey',
  });
  const takeAway = (row: number): void => {
    remove(row);
    document.getElementById(id)?.focus();
  };
  return (
    <Fieldset
      legend="Metadata"
      hint={
        <>
          Entries of the header <code>cf-aig-metadata</code>, such as a team or a user of yours. A
          request without the entry is not counted by this rule.
        </>
      }
    >
      <ul className="space-y-3">
        {fields.map(({ rowKey }, row) => (
          <MetadataRow
            key={rowKey}
            form={form}
            index={index}
            row={row}
            onRemove={() => takeAway(row)}
          />
        ))}
      </ul>
      {fields.length < MOST_KEYS && (
        <Button
          id={id}
          isSmall
          className={fields.length > 0 ? 'mt-3' : undefined}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append({ key: '', mode: 'partition', values: '' })}
        >
          Add metadata
        </Button>
      )}
    </Fieldset>
  );
}

interface MetadataRowProps extends RulePlace {
  row: number;
  onRemove: () => void;
}

function MetadataRow({ form, index, row, onRemove }: MetadataRowProps) {
  const path = `rules.${index}.metadata.${row}` as const;
  const { register, control, formState } = form;
  const mode = useWatch({ control, name: `${path}.mode` });
  const errors = formState.errors.rules?.[index]?.metadata?.[row];
  return (
    <li className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <Field label="Entry" error={errors?.key?.message}>
        <Input
          spellCheck={false}
          placeholder="team"
          {...register(`${path}.key`, {
            validate: (key, { rules }) => checkKey(key, rules[index]?.metadata ?? []),
          })}
        />
      </Field>
      <Field label="Counts">
        <Select {...register(`${path}.mode`)}>
          <option value="partition">Each value by itself</option>
          <option value="filter">Only some values</option>
        </Select>
      </Field>
      <IconButton
        label="Remove this entry"
        icon={<Trash2 aria-hidden className="size-4" />}
        className="sm:mt-7"
        onClick={onRemove}
      />
      {mode === 'filter' && (
        <div className="sm:col-span-2">
          <ValuesField
            form={form}
            path={path}
            label="Values that count"
            hint="One in a line."
            error={errors?.values?.message}
          />
        </div>
      )}
    </li>
  );
}

function checkKey(key: string, entries: readonly { key: string }[]): string | true {
  if (key.trim() === '') return 'Name the entry.';
  const isTwice = entries.filter((entry) => entry.key.trim() === key.trim()).length > 1;
  return isTwice ? 'This entry is there twice.' : true;
}
