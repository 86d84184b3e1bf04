import { useSuspenseQuery } from '@tanstack/react-query';
import { Trash2 } from '../../ui/icons.tsx';
import type { Ref } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { permissionGroupsQuery } from '../../api/tokens.ts';
import { IconButton } from '../../ui/button.tsx';
import { Check, Fieldset } from '../../ui/field.tsx';
import type { ApiForm } from '../../ui/form.tsx';
import { GroupPicker } from './group-picker.tsx';
import { whyNotHeld } from './held-permissions.ts';
import { labels } from './labels.ts';
import { ResourcePicker } from './resource-picker.tsx';
import type { TokenDraft } from './token-draft.ts';
import { useTokenHome } from './token-home.tsx';

interface PolicyFieldsProps {
  form: ApiForm<TokenDraft>;
  index: number;
  /** Undefined for the only policy, which has to stay. */
  onRemove: (() => void) | undefined;
}

/** One policy: whether it allows or denies, what, and where. */
export function PolicyFields({ form, index, onRemove }: PolicyFieldsProps) {
  const { control, register, setValue, formState } = form;
  const effect = useWatch({ control, name: `policies.${index}.effect` });
  const title = labels.policy(index + 1);
  return (
    <section aria-label={title} className="rounded-xl border border-line p-4">
      <header className="mb-3 flex min-h-9 items-center justify-between gap-2">
        <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
        {onRemove !== undefined && (
          <IconButton
            label={labels.removePolicy(index + 1)}
            icon={<Trash2 aria-hidden className="size-4" />}
            onClick={onRemove}
          />
        )}
      </header>
      <div className="space-y-5">
        <Fieldset
          legend={labels.effect}
          error={formState.errors.policies?.[index]?.effect?.message}
        >
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            <Check
              type="radio"
              value="allow"
              label={labels.allow}
              {...register(`policies.${index}.effect`)}
            />
            <Check
              type="radio"
              value="deny"
              label={labels.deny}
              hint={effect === 'deny' ? labels.takesPrecedenceOverEveryAllowing : undefined}
              {...register(`policies.${index}.effect`)}
            />
          </div>
        </Fieldset>
        <Groups form={form} index={index} />
        <Controller
          control={control}
          name={`policies.${index}.names`}
          rules={{
            validate: (names, { policies }) =>
              policies[index]?.reach !== 'chosen' ||
              names.length > 0 ||
              labels.chooseAtLeastOneResource,
          }}
          render={({ field, fieldState }) => (
            <Reach
              form={form}
              index={index}
              names={field.value}
              ref={field.ref}
              error={fieldState.error?.message}
              onNames={(names) =>
                setValue(`policies.${index}.names`, names, {
                  shouldDirty: true,
                  shouldValidate: fieldState.error !== undefined,
                })
              }
            />
          )}
        />
      </div>
    </section>
  );
}

interface ReachProps {
  form: ApiForm<TokenDraft>;
  index: number;
  names: string[];
  error: string | undefined;
  onNames: (names: string[]) => void;
  ref: Ref<HTMLInputElement>;
}

function Reach({ form, index, ...rest }: ReachProps) {
  const name = `policies.${index}.reach` as const;
  const reach = useWatch({ control: form.control, name });
  return (
    <ResourcePicker
      {...rest}
      reach={reach}
      onReach={(next) => form.setValue(name, next, { shouldDirty: true })}
    />
  );
}

function Groups({ form, index }: Pick<PolicyFieldsProps, 'form' | 'index'>) {
  const home = useTokenHome();
  const { control } = form;
  const { data: groups } = useSuspenseQuery(permissionGroupsQuery(home.owner));
  const policy = useWatch({ control, name: `policies.${index}` });
  return (
    <Controller
      control={control}
      name={`policies.${index}.groups`}
      rules={{ validate: (chosen) => chosen.length > 0 || labels.chooseAtLeastOnePermission }}
      render={({ field, fieldState }) => (
        <Fieldset legend={labels.permissions} error={fieldState.error?.message}>
          <GroupPicker
            label={`permissions of policy ${index + 1}`}
            groups={groups}
            ref={field.ref}
            chosen={field.value}
            effect={policy.effect}
            whyNot={(group) => whyNotHeld(group, policy, home)}
            onChange={field.onChange}
          />
        </Fieldset>
      )}
    />
  );
}
