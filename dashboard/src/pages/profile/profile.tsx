import type { Edit } from '../../api/edit.ts';
import { useEdit } from '../../ui/use-edit.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, resultOf } from '../../api/client.ts';
import { userQuery, type User } from '../../api/people.ts';
import { queryClient } from '../../api/query-client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

const MAX_NAME_LENGTH = 60;

interface Names {
  first_name: string;
  last_name: string;
}

/** Who the person is to others. */
export function Profile() {
  const { data: user } = useSuspenseQuery(userQuery);
  const hasSecondFactor = user.two_factor_authentication_enabled;
  return (
    <Page title={labels.profile} lead={labels.howMembersOfYourAccounts} isNarrow>
      <NameForm />
      <Card title={labels.signInDetails}>
        <Facts>
          <Fact name={labels.emailAddress}>
            <CopyText text={user.email} label={labels.copyEmailAddress} />
            <p className="mt-0.5 text-sm text-muted">{labels.yourSignInName}</p>
          </Fact>
          <Fact name={labels.secondFactor}>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Badge tone={hasSecondFactor ? 'good' : 'warning'}>
                {hasSecondFactor ? labels.on : labels.off}
              </Badge>
              <LinkButton isSmall to="/profile/security">
                {labels.signInAndSecurity}
              </LinkButton>
            </div>
          </Fact>
          <Fact name={labels.yourId}>
            <CopyText text={user.id} label={labels.copyYourId} />
            <p className="mt-0.5 text-sm text-muted">{labels.identifiesYouInTheApi}</p>
          </Fact>
        </Facts>
      </Card>
    </Page>
  );
}

async function saveNames(edit: Edit<User>, { first_name, last_name }: Names): Promise<void> {
  const body = { first_name: first_name.trim() || null, last_name: last_name.trim() || null };
  const saved = await edit.save(['first_name', 'last_name'], (headers) =>
    resultOf(api.PATCH('/user', { headers, body })),
  );
  queryClient.setQueryData(userQuery.queryKey, saved);
  toast(labels.savedYourName);
}

function NameForm() {
  const { data: user } = useSuspenseQuery(userQuery);
  const edit = useEdit(user, () => api.GET('/user'));
  const form = useApiForm<Names>({
    values: { first_name: user.first_name ?? '', last_name: user.last_name ?? '' },
    save: (names) => saveNames(edit, names),
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={form.submit} noValidate>
      {form.guard}
      <Card
        title={labels.name}
        lead={labels.visibleToMembers}
        footer={
          <Button type="submit" look="primary" isBusy={form.isSaving}>
            {labels.saveName}
          </Button>
        }
      >
        <div className="space-y-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={labels.firstName}
              hint={labels.atMost100Characters}
              isOptional
              error={errors.first_name?.message}
            >
              <Input
                {...form.register('first_name')}
                autoComplete="given-name"
                maxLength={MAX_NAME_LENGTH}
              />
            </Field>
            <Field
              label={labels.lastName}
              hint={labels.atMost100Characters}
              isOptional
              error={errors.last_name?.message}
            >
              <Input
                {...form.register('last_name')}
                autoComplete="family-name"
                maxLength={MAX_NAME_LENGTH}
              />
            </Field>
          </div>
          <SaveFailure error={form.failure} />
        </div>
      </Card>
    </form>
  );
}
