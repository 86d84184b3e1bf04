import { Plus, Trash2 } from '../../../ui/icons.tsx';
import { type ReactNode, useId } from 'react';
import { type FieldPath, useFieldArray, useWatch } from 'react-hook-form';
import type { ApiToken } from '../../../api/tokens.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Fieldset, Input, Select, Textarea } from '../../../ui/field.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { labels } from './labels.ts';
import { type SpendDraft, linesOf } from './spend-draft.ts';

const MOST_KEYS = 5;

/** What a rule can choose by, in words. */
const WORDS = {
  model: {
    label: labels.models,
    all: labels.allModelsTogether,
    partition: labels.eachModelSeparately,
    filter: labels.onlySelectedModels,
    hint: labels.onePerLineAsNamed,
  },
  provider: {
    label: labels.providers,
    all: labels.allProvidersTogether,
    partition: labels.eachProviderSeparately,
    filter: labels.onlySelectedProviders,
    hint: labels.onePerLineSuch,
  },
  token: {
    label: labels.tokens,
    all: labels.allTokensTogether,
    partition: labels.eachTokenSeparately,
    filter: labels.onlySelectedTokens,
    hint: labels.idsOfApiTokens,
  },
  user: {
    label: labels.users,
    all: labels.allUsersTogether,
    partition: labels.eachUserSeparately,
    filter: labels.onlySelectedUsers,
    hint: labels.idsOfUsersWhoAuthorized,
  },
  oauth_client: {
    label: labels.oauthClients,
    all: labels.allOauthClientsTogether,
    partition: labels.eachOauthClientSeparately,
    filter: labels.onlySelectedOauthClients,
    hint: labels.clientIdsOnePerLine,
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
          label={labels.selected(words.label)}
          hint={words.hint}
          error={form.formState.errors.rules?.[index]?.[name]?.values?.message}
        />
      )}
      {mode === 'filter' && name === 'token' && tokens.length > 0 && (
        <Select
          aria-label={labels.addAToken}
          value=""
          onChange={({ target }) => target.value !== '' && add(target.value)}
        >
          <option value="">{labels.addTokenOption}</option>
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
          validate: (text) => linesOf(text).length > 0 || labels.enterAtLeastOneValue,
        })}
      />
    </Field>
  );
}

type EntryKind = 'metadata' | 'gateway_tags';

const ENTRY_WORDS = {
  metadata: {
    legend: labels.metadata,
    hint: (
      <>
        Entries of the header <code>cf-aig-metadata</code>, such as a team or customer. The rule
        doesn't apply to requests without the entry.
      </>
    ),
    add: labels.addMetadata,
    key: 'Entry',
    remove: labels.removeThisEntry,
    isMissing: labels.enterAKey,
    isRepeated: labels.duplicateKey,
  },
  gateway_tags: {
    legend: labels.gatewayTags,
    hint: labels.theRuleAppliesToGateways,
    add: labels.addGatewayTag,
    key: 'Tag',
    remove: labels.removeThisTag,
    isMissing: labels.enterAKey,
    isRepeated: labels.duplicateKey,
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
        <Field label={labels.scope}>
          <Select {...register(`${path}.mode`)}>
            <option value="partition">{labels.eachValueSeparately}</option>
            <option value="filter">{labels.onlySelectedValues}</option>
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
            label={kind === 'metadata' ? labels.selectedValues : labels.values}
            hint={labels.onePerLine}
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
