import { useState } from 'react';
import { api, resultOf } from '../../api/client.ts';
import { ApiFailure, atField } from '../../api/failure.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionsQuery } from '../../api/sessions.ts';
import { Username } from '../../session/username.tsx';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

const NO_PASSWORD = 3046;
const MIN_LENGTH = 12;

const FIELDS = { 3042: 'current_password', 3043: 'new_password' } as const;

interface PasswordChange {
  current_password: string;
  new_password: string;
}

/** Changes the password. */
export function PasswordCard({ email }: { email: string }) {
  const [hasNone, setHasNone] = useState(false);
  const form = useApiForm<PasswordChange>({
    values: { current_password: '', new_password: '' },
    save: async (body) => {
      try {
        await resultOf(api.PUT('/user/password', { body }));
      } catch (error) {
        setHasNone(error instanceof ApiFailure && error.code === NO_PASSWORD);
        throw atField(error, FIELDS);
      }
      form.reset({ current_password: '', new_password: '' });
      toast(labels.changedYourPasswordAndEnded);
      // The one of this browser is a new one, too.
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={form.submit}>
      {form.guard}
      <Card
        title={labels.password}
        lead={labels.aNewPasswordEndsAll}
        footer={
          <Button type="submit" look="primary" isBusy={form.isSaving}>
            {labels.changePassword}
          </Button>
        }
      >
        <div className="space-y-4">
          <Username email={email} />
          <Field label={labels.currentPassword} error={errors.current_password?.message}>
            <PasswordInput
              autoComplete="current-password"
              {...form.register('current_password', { required: labels.enterYourCurrentPassword })}
            />
          </Field>
          <Field
            label={labels.newPassword}
            error={errors.new_password?.message}
            hint={
              <LengthHint length={Array.from(form.watch('new_password').normalize('NFC')).length} />
            }
          >
            <PasswordInput
              autoComplete="new-password"
              {...form.register('new_password', { required: labels.enterANewPassword })}
            />
          </Field>
          {hasNone ? <NoPassword email={email} /> : <SaveFailure error={form.failure} />}
        </div>
      </Card>
    </form>
  );
}

/** There are no rules of composition: length is what counts. */
function LengthHint({ length }: { length: number }) {
  const missing = MIN_LENGTH - length;
  if (length === 0) {
    return labels.atLeastCharactersSeveralUnrelated(MIN_LENGTH);
  }
  if (missing > 0) return labels.more(missing, missing === 1 ? 'character' : 'characters');
  return labels.longEnough;
}

/** For who came through their organisation. */
function NoPassword({ email }: { email: string }) {
  return (
    <Callout tone="info" isAlert title={labels.youHaveNoPasswordYet}>
      You sign in without a password.{' '}
      <a
        href={`/forgot-password?login_hint=${encodeURIComponent(email)}`}
        className="text-accent underline underline-offset-2"
      >
        {labels.requestALinkToSet}
      </a>
      .
    </Callout>
  );
}
