import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { IfMatch } from '../../../api/edit.ts';
import {
  type ClientStats,
  clientStatsQuery,
  deleteClient,
  forgetClient,
  readClient,
} from '../../../api/oauth-client-changes.ts';
import { counted } from '../../../lib/counted.ts';
import { ConfirmDeletion } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { ClientOfPage } from './client-of-page.ts';
import { labels } from './labels.ts';

interface DeleteClientProps extends Pick<ClientOfPage, 'client' | 'place'> {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for the name before a client goes for ever, and says what goes with it. */
export function DeleteClient({ client, place, isOpen, onClose }: DeleteClientProps) {
  const navigate = useNavigate();
  const { data: stats } = useQuery({ ...clientStatsQuery(place), enabled: isOpen });
  const name = client.client_name;
  const confirm = async (headers: IfMatch): Promise<void> => {
    await deleteClient(place, headers);
    await navigate({
      to: '/accounts/$accountId/oauth-clients',
      params: { accountId: place.accountId },
    });
    forgetClient(place);
    toast(labels.deleted(name));
  };
  return (
    <ConfirmDeletion
      record={client}
      read={() => readClient(place)}
      isOpen={isOpen}
      onClose={onClose}
      title={labels.deleteQuestion(name)}
      label={labels.deleteClient}
      phrase={name}
      onConfirm={confirm}
    >
      <p>{labels.deletingTheClientImmediately(describeUsers(stats))}</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>{labels.consents}</li>
        <li>{labels.clientTokens}</li>
        <li>{labels.registration(client.secrets.length === 0 ? 'registration' : 'secrets')}</li>
      </ul>
    </ConfirmDeletion>
  );
}

function describeUsers(stats: ClientStats | undefined): string {
  if (stats === undefined) return '';
  const { authorized_users: users, grants } = stats;
  if (users === 0) return labels.noUserHasAuthorizedIt;
  const people = counted(users, labels.personHas, labels.peopleHave);
  return labels.authorizedItWith(people, counted(grants, 'authorization'));
}
