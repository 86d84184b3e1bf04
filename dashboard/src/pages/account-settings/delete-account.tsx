import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Account, deleteAccount, useAccountOfPage } from '../../api/accounts.ts';
import { forgetMembership } from '../../api/memberships.ts';
import { membershipsQuery } from '../../api/people.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';

/** The end of an account. */
export function DeleteAccount({ account }: { account: Account }) {
  const { isSuperAdministrator } = useAccountOfPage();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useDeletion(account);
  return (
    <Card
      title="Delete this account"
      lead="With all that is in it: members, API tokens, OAuth clients, gateways and tags. It cannot be undone."
      footer={
        isSuperAdministrator && (
          <Button look="danger-plain" onClick={() => setIsAsked(true)}>
            Delete account
          </Button>
        )
      }
    >
      <p className="text-[0.9375rem]">
        {isSuperAdministrator
          ? 'The last account of a server cannot be deleted: create another one first.'
          : 'Only a Super Administrator of the account can do that.'}
      </p>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={`Delete ${account.name}?`}
        label="Delete account"
        phrase={account.name}
        onConfirm={remove}
      >
        <p>
          Every API token and every application of the account stops working at once. The members
          lose their access, but not their sign-in. Nobody can bring it back.
        </p>
      </Confirm>
    </Card>
  );
}

/** Deletes the account, and goes to another one of the person. */
function useDeletion({ id, name }: Account): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await deleteAccount(id);
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
    toast(`${name} is deleted`);
  };
}
