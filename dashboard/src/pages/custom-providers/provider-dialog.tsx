import { CUSTOM_PREFIX, type CustomProvider } from '../../api/custom-providers.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Check, Field, Input, Textarea } from '../../ui/field.tsx';
import type { ApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { ApiFields } from './api-fields.tsx';
import { BaseUrlField } from './base-url-field.tsx';
import { labels } from './labels.ts';
import { type ProviderValues, slugOf, useProviderForm } from './use-provider-form.ts';

interface ProviderDialogProps {
  accountId: string;
  /** Undefined: a new one is added. */
  provider: CustomProvider | undefined;
  onClose: () => void;
  onSaved: (provider: CustomProvider) => void;
}

const LEAD = labels.aServiceWithAnOpenai;

/** Adds a provider, or changes one. */
export function ProviderDialog(props: ProviderDialogProps) {
  const { provider, onClose } = props;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={provider === undefined ? labels.addAProvider : labels.change(provider.name)}
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
      <Field label={labels.name} hint={labels.displayNameProgramsUse} error={errors.name?.message}>
        <Input
          maxLength={100}
          {...form.register('name', {
            validate: (text) => text.trim() !== '' || labels.enterAName,
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
      <ApiFields form={form} />
      <Field label={labels.description} isOptional error={errors.description?.message}>
        <Textarea rows={2} maxLength={1_000} {...form.register('description')} />
      </Field>
      <Field
        label={labels.link}
        isOptional
        hint={labels.linkToDocumentation}
        error={errors.link?.message}
      >
        <Input inputMode="url" placeholder="https://" {...form.register('link')} />
      </Field>
      <div className="space-y-3">
        <Check
          label={labels.enabled}
          hint={labels.requestsToADisabledProvider}
          {...form.register('enable')}
        />
        <Check
          label={labels.beta}
          hint={labels.marksTheProviderAsBeta}
          {...form.register('beta')}
        />
      </div>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {isNew ? labels.addProvider : labels.saveProvider}
        </Button>
      </Actions>
    </form>
  );
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

function findSlugFault(text: string): string | undefined {
  if (text.trim() === '') return labels.enterASlugRequestsUse;
  return SLUG.test(text.trim()) ? undefined : labels.useLowercaseLettersDigits;
}

function SlugField({ form }: { form: ApiForm<ProviderValues> }) {
  const slug = form.watch('slug').trim();
  return (
    <Field
      label={labels.slug}
      error={form.formState.errors.slug?.message}
      hint={
        <>
          Requests name its models as{' '}
          <code className="font-mono text-xs wrap-anywhere">
            {labels.model(CUSTOM_PREFIX, slug === '' ? '…' : slug)}
          </code>
          . The slug can't be changed later.
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
