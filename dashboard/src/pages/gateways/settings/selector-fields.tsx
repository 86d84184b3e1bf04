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
  tokens?: readonly Pick<ApiToken, 'id' | 'name'>[];
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
    | `rules.${number}.metadata.${number}`
    | `rules.${number}.gateway_tags.${number}`;
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

type EntryKind = 'metadata' | 'gateway_tags';

const ENTRY_WORDS = {
  metadata: {
    legend: 'Metadata',
    hint: (
      <>
        Entries of the header <code>cf-aig-metadata</code>, such as a team or a customer. The rule
        does not apply to requests without the entry.
      </>
    ),
    add: 'Add metadata',
    key: 'Entry',
    remove: 'Remove this entry',
    isMissing: 'Name the entry.',
    isRepeated: 'This entry is there twice.',
  },
  gateway_tags: {
    legend: 'Gateway tags',
    hint: 'The rule applies to gateways that have these resource tags. Without any, it applies to all gateways of the account.',
    add: 'Add gateway tag',
    key: 'Tag',
    remove: 'Remove this tag',
    isMissing: 'Name the tag.',
    isRepeated: 'This tag is there twice.',
  },
} as const;

interface EntryFieldsProps extends RulePlace {
  kind: EntryKind;
}

/** The metadata of requests, or the tags of gateways, to which a rule applies. */
export function EntryFields({ form, index, kind }: EntryFieldsProps) {
  const id = useId();
  const words = ENTRY_WORDS[kind];
  const name = `rules.${index}.${kind}` as const;
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
    <Fieldset legend={words.legend} hint={words.hint}>
      <ul className="space-y-3">
        {fields.map(({ rowKey }, row) => (
          <EntryRow
            key={rowKey}
            form={form}
            index={index}
            kind={kind}
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
          onClick={() =>
            append({ key: '', mode: kind === 'metadata' ? 'partition' : 'filter', values: '' })
          }
        >
          {words.add}
        </Button>
      )}
    </Fieldset>
  );
}

interface EntryRowProps extends EntryFieldsProps {
  row: number;
  onRemove: () => void;
}

function EntryRow({ form, index, kind, row, onRemove }: EntryRowProps) {
  const path = `rules.${index}.${kind}.${row}` as const;
  const words = ENTRY_WORDS[kind];
  const { register, control, formState } = form;
  const mode = useWatch({ control, name: `${path}.mode` });
  const errors = formState.errors.rules?.[index]?.[kind]?.[row];
  return (
    <li className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <Field label={words.key} error={errors?.key?.message}>
        <Input
          spellCheck={false}
          placeholder="team"
          {...register(`${path}.key`, {
            validate: (key, { rules }) => checkKey(key, rules[index]?.[kind] ?? [], words),
          })}
        />
      </Field>
      {kind === 'metadata' ? (
        <Field label="Counts">
          <Select {...register(`${path}.mode`)}>
            <option value="partition">Each value by itself</option>
            <option value="filter">Only some values</option>
          </Select>
        </Field>
      ) : (
        <span />
      )}
      <IconButton
        label={words.remove}
        icon={<Trash2 aria-hidden className="size-4" />}
        className="sm:mt-7"
        onClick={onRemove}
      />
      {mode === 'filter' && (
        <div className="sm:col-span-2">
          <ValuesField
            form={form}
            path={path}
            label={kind === 'metadata' ? 'Values that count' : 'Values'}
            hint="One per line."
            error={errors?.values?.message}
          />
        </div>
      )}
    </li>
  );
}

function checkKey(
  key: string,
  entries: readonly { key: string }[],
  words: (typeof ENTRY_WORDS)[EntryKind],
): string | true {
  if (key.trim() === '') return words.isMissing;
  const isRepeated = entries.filter((entry) => entry.key.trim() === key.trim()).length > 1;
  return isRepeated ? words.isRepeated : true;
}
