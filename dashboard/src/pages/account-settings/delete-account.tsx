import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Account, deleteAccount, readAccount, useAccountOfPage } from '../../api/accounts.ts';
import type { IfMatch } from '../../api/edit.ts';
import { forgetMembership } from '../../api/memberships.ts';
import { membershipsQuery } from '../../api/people.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDeletion } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';

/** The end of an account. */
export function DeleteAccount({ account }: { account: Account }) {
  const { isSuperAdministrator } = useAccountOfPage();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useDeletion(account);
  return (
    <Card
      title={labels.deleteThisAccount}
      lead={labels.deletesTheAccount}
      footer={
        isSuperAdministrator && (
          <Button look="danger-plain" onClick={() => setIsAsked(true)}>
            {labels.deleteAccount}
          </Button>
        )
      }
    >
      <p className="text-[0.9375rem]">
        {isSuperAdministrator
          ? labels.youCantDeleteTheLast
          : labels.requiresTheRoleSuperAdministrator}
      </p>
      <ConfirmDeletion
        record={account}
        read={() => readAccount(account.id)}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={labels.delete(account.name)}
        label={labels.deleteAccount}
        phrase={account.name}
        onConfirm={remove}
      >
        <p>{labels.allApiTokensAndApplications}</p>
      </ConfirmDeletion>
    </Card>
  );
}

/** Deletes the account, and goes to another one of the person. */
function useDeletion({ id, name }: Account): (headers: IfMatch) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (headers) => {
    await deleteAccount(id, headers);
    const memberships = await queryClient.ensureQueryData(membershipsQuery);
    const next = memberships.find(
      ({ account, status }) => status === 'accepted' && account.id !== id,
    );
    // What is typed on the page is of no use any more.
    const way = { replace: true, ignoreBlocker: true } as const;
    // First away, so that nobody sees a page of an account that is gone.
    await (next === undefined
      ? navigate({ to: '/profile/accounts', ...way })
      : navigate({ to: '/accounts/$accountId', params: { accountId: next.account.id }, ...way }));
    forgetMembership(id);
    toast(labels.deleted(name));
  };
}
