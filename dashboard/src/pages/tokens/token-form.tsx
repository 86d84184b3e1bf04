import { useSuspenseQuery } from '@tanstack/react-query';
import { Plus } from '../../ui/icons.tsx';
import { type ReactNode, useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import { type ApiToken, permissionGroupsQuery } from '../../api/tokens.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Field, Fieldset, Input } from '../../ui/field.tsx';
import { type ApiForm, useApiForm } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import { PolicyFields } from './policy-fields.tsx';
import { groupsOfPreset, presets } from './presets.ts';
import { RequestPanel } from './request-panel.tsx';
import { type TokenDraft, emptyPolicy, fieldOfToken } from './token-draft.ts';
import { useTokenHome } from './token-home.tsx';
import { AddressFields, ValidityFields } from './validity-fields.tsx';

interface TokenFormProps {
  draft: TokenDraft;
  /** The token that is edited. */
  stored?: ApiToken;
  saveLabel: string;
  save: (draft: TokenDraft, idempotencyKey: string) => Promise<unknown>;
}

/** A token, new or not, and beside it what it amounts to. */
export function TokenForm({ draft, stored, saveLabel, save }: TokenFormProps) {
  const home = useTokenHome();
  const form = useApiForm<TokenDraft>({ values: draft, save, fieldOf: fieldOfToken });
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <form onSubmit={form.submit} className="min-w-0 space-y-6">
        {form.guard}
        <Card>
          <NameField form={form} isNew={stored === undefined} />
        </Card>
        <Card title={labels.policies} lead={labels.permissionsOfTheToken}>
          <Policies form={form} />
        </Card>
        <Card title={labels.validity}>
          <ValidityFields form={form} />
        </Card>
        <Card title={labels.clientIpAddresses} lead={labels.requestsFromOtherAddresses}>
          <AddressFields form={form} />
        </Card>
        <SaveFailure error={form.failure} />
        <Refused form={form} />
        <Actions>
          <LinkButton {...home.list}>{labels.cancel}</LinkButton>
          <Button type="submit" look="primary" isBusy={form.isSaving}>
            {saveLabel}
          </Button>
        </Actions>
      </form>
      <aside aria-label={labels.result} className="min-w-0 xl:sticky xl:top-6">
        <RequestPanel control={form.control} stored={stored} />
      </aside>
    </div>
  );
}

/** Says at the button that something further up has a fault: the form is long. */
function Refused({ form }: { form: ApiForm<TokenDraft> }): ReactNode {
  const isRefused = Object.keys(form.formState.errors).some((name) => name !== 'root');
  return (
    <p role="status" className="text-right text-sm text-danger">
      {isRefused ? labels.notSavedCorrectTheMarked : ''}
    </p>
  );
}

function NameField({ form, isNew }: { form: ApiForm<TokenDraft>; isNew: boolean }) {
  return (
    <div className="space-y-5">
      <Field
        label={labels.name}
        error={form.formState.errors.name?.message}
        hint={labels.whereTheTokenIsUsed}
      >
        <Input
          maxLength={120}
          {...form.register('name', {
            validate: (name) => name.trim() !== '' || labels.enterAName,
          })}
        />
      </Field>
      {isNew && <Presets form={form} />}
    </div>
  );
}

function Presets({ form }: { form: ApiForm<TokenDraft> }) {
  const home = useTokenHome();
  const { data: groups } = useSuspenseQuery(permissionGroupsQuery(home.owner));
  const options = presets.map((preset) => ({
    label: preset.label,
    ids: groupsOfPreset(preset, groups, home).map(({ id }) => id),
  }));
  const apply = (label: string, ids: string[]): void => {
    const { name, policies } = form.getValues();
    if (name === '') form.setValue('name', label, { shouldDirty: true });
    const free = policies.findIndex(({ groups: chosen }) => chosen.length === 0);
    const settings = { shouldDirty: true } as const;
    if (free === -1) {
      form.setValue('policies', [...policies, { ...emptyPolicy(), groups: ids }], settings);
    } else {
      form.setValue(`policies.${free}`, { ...emptyPolicy(), groups: ids }, settings);
    }
  };
  return (
    <Fieldset legend={labels.startWith} hint={labels.addsAPolicyThatYou}>
      <div className="flex flex-wrap gap-2">
        {options.map(({ label, ids }) => (
          <Button
            key={label}
            isSmall
            disabled={ids.length === 0}
            title={ids.length === 0 ? labels.youDontHaveThisPermission : undefined}
            onClick={() => apply(label, ids)}
          >
            {label}
          </Button>
        ))}
      </div>
    </Fieldset>
  );
}

function Policies({ form }: { form: ApiForm<TokenDraft> }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'policies' });
  const addButton = useRef<HTMLButtonElement>(null);
  const error = form.formState.errors.policies?.message;
  return (
    <div className="space-y-4">
      {fields.map(({ id }, index) => (
        <PolicyFields
          key={id}
          form={form}
          index={index}
          onRemove={
            fields.length === 1
              ? undefined
              : () => {
                  remove(index);
                  addButton.current?.focus();
                }
          }
        />
      ))}
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <Button
        ref={addButton}
        icon={<Plus aria-hidden className="size-4" />}
        onClick={() => append(emptyPolicy())}
      >
        {labels.addPolicy}
      </Button>
    </div>
  );
}
