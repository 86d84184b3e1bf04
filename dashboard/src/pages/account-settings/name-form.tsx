import { useEdit } from '../../ui/use-edit.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type Account, accountQuery, updateAccount, readAccount } from '../../api/accounts.ts';
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

/** The members that the form shows. */
function shownOf({ name, settings }: Account) {
  return { name, abuse_contact: settings.abuse_contact_email };
}

/** What the account is called, and whom to tell of misuse. */
export function NameForm({ account }: { account: Account }) {
  const queryClient = useQueryClient();
  const edit = useEdit(shownOf(account), async () => {
    const { data, response } = await readAccount(account.id);
    return { ...(data && { data: { result: shownOf(data.result) } }), response };
  });
  const form = useApiForm<NameFields>({
    values: { name: account.name, contact: account.settings.abuse_contact_email ?? '' },
    fieldOf: (path) => FIELDS[path] ?? path,
    save: async ({ name, contact }) => {
      const settings = { abuse_contact_email: contact.trim() === '' ? null : contact.trim() };
      const body = { name: name.trim(), settings };
      const changed = await edit.save(['name', 'abuse_contact'], async (headers) => {
        const saved = await updateAccount(account.id, body, headers);
        queryClient.setQueryData(accountQuery(account.id).queryKey, saved);
        return shownOf(saved);
      });
      form.reset({ name: changed.name, contact: changed.abuse_contact ?? '' });
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
          <Field label={labels.name} hint={labels.atMost100Characters} error={errors.name?.message}>
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
