import { useQueryClient } from '@tanstack/react-query';
import { type Account, accountQuery, updateAccount } from '../../api/accounts.ts';
import { membershipsQuery } from '../../api/people.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

interface NameFields {
  name: string;
  contact: string;
}

const FIELDS: Readonly<Record<string, string>> = { 'settings.abuse_contact_email': 'contact' };

/** What the account is called, and whom to tell of misuse. */
export function NameForm({ account }: { account: Account }) {
  const queryClient = useQueryClient();
  const form = useApiForm<NameFields>({
    values: { name: account.name, contact: account.settings.abuse_contact_email ?? '' },
    fieldOf: (path) => FIELDS[path] ?? path,
    save: async ({ name, contact }) => {
      const changed = await updateAccount(account.id, {
        name: name.trim(),
        settings: { abuse_contact_email: contact.trim() === '' ? null : contact.trim() },
      });
      queryClient.setQueryData(accountQuery(account.id).queryKey, changed);
      form.reset({ name: changed.name, contact: changed.settings.abuse_contact_email ?? '' });
      await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
      toast(labels.settingsSaved);
    },
  });
  const { errors, isDirty } = form.formState;
  return (
    <form onSubmit={form.submit} noValidate>
      {form.guard}
      <Card
        title={labels.nameAndContact}
        footer={
          <Button type="submit" look="primary" isBusy={form.isSaving} disabled={!isDirty}>
            {labels.save}
          </Button>
        }
      >
        <div className="space-y-5">
          <Field label={labels.name} error={errors.name?.message}>
            <Input {...form.register('name', { required: labels.enterAName })} />
          </Field>
          <Field
            label={labels.abuseContact}
            isOptional
            hint={labels.emailAddressForAbuseReports}
            error={errors.contact?.message}
          >
            <Input type="email" inputMode="email" {...form.register('contact')} />
          </Field>
          <SaveFailure error={form.failure} />
        </div>
      </Card>
    </form>
  );
}
