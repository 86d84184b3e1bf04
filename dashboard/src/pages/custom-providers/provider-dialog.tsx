import { CUSTOM_PREFIX, type CustomProvider } from '../../api/custom-providers.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Check, Field, Input, Textarea } from '../../ui/field.tsx';
import type { ApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { BaseUrlField } from './base-url-field.tsx';
import { type ProviderValues, slugOf, useProviderForm } from './use-provider-form.ts';

interface ProviderDialogProps {
  accountId: string;
  /** Undefined: a new one is added. */
  provider: CustomProvider | undefined;
  onClose: () => void;
  onSaved: (provider: CustomProvider) => void;
}

const LEAD =
  'Any service with an API like that of OpenAI: a model server of your own, or a provider that is not built in.';

/** Adds a provider, or changes one. */
export function ProviderDialog(props: ProviderDialogProps) {
  const { provider, onClose } = props;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={provider === undefined ? 'Add a provider' : `Change ${provider.name}`}
      lead={provider === undefined ? LEAD : undefined}
    >
      <ProviderForm {...props} />
    </Dialog>
  );
}

function ProviderForm({ accountId, provider, onClose, onSaved }: ProviderDialogProps) {
  const form = useProviderForm({ accountId, provider, onSaved });
  const { errors } = form.formState;
  const isNew = provider === undefined;
  return (
    <form onSubmit={form.submit} noValidate className="space-y-5">
      {form.guard}
      <Field
        label="Name"
        hint="What people call it. Programs use the slug."
        error={errors.name?.message}
      >
        <Input
          maxLength={100}
          {...form.register('name', {
            validate: (text) => text.trim() !== '' || 'Give it a name.',
            onChange: (event: { target: { value: string } }) => {
              // Until somebody chooses one.
              if (isNew && form.formState.dirtyFields.slug !== true) {
                form.setValue('slug', slugOf(event.target.value));
              }
            },
          })}
        />
      </Field>
      {isNew && <SlugField form={form} />}
      <BaseUrlField form={form} accepted={provider?.base_url} />
      <Field label="Description" isOptional error={errors.description?.message}>
        <Textarea rows={2} maxLength={1_000} {...form.register('description')} />
      </Field>
      <Field
        label="Link"
        isOptional
        hint="Where people read about it: its documentation, or the team that runs it."
        error={errors.link?.message}
      >
        <Input inputMode="url" placeholder="https://" {...form.register('link')} />
      </Field>
      <div className="space-y-3">
        <Check
          label="Enabled"
          hint="Requests may use the provider. Switched off, they are refused with error 2008."
          {...form.register('enable')}
        />
        <Check
          label="Beta"
          hint="Marks it for the people who see it here. It changes nothing for requests."
          {...form.register('beta')}
        />
      </div>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {isNew ? 'Add provider' : 'Save provider'}
        </Button>
      </Actions>
    </form>
  );
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

function findSlugFault(text: string): string | undefined {
  if (text.trim() === '') return 'Give it a slug: requests name it by that.';
  return SLUG.test(text.trim())
    ? undefined
    : 'A slug has lower-case letters, digits and hyphens, and begins with a letter or a digit.';
}

function SlugField({ form }: { form: ApiForm<ProviderValues> }) {
  const slug = form.watch('slug').trim();
  return (
    <Field
      label="Slug"
      error={form.formState.errors.slug?.message}
      hint={
        <>
          Requests name its models as{' '}
          <code className="font-mono text-xs wrap-anywhere">
            {CUSTOM_PREFIX}
            {slug === '' ? '…' : slug}/model
          </code>
          . It cannot be changed later.
        </>
      }
    >
      <Input
        maxLength={63}
        spellCheck={false}
        {...form.register('slug', { validate: findSlugFault })}
      />
    </Field>
  );
}
