import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { AuditView } from './audit-view.tsx';
import { labels } from './labels.ts';

/** What happened to the person: sign-ins, factors, sessions, applications. */
export function OwnActivity() {
  const search = useSearch({ from: '/profile/activity' });
  const navigate = useNavigate({ from: '/profile/activity' });
  return (
    <Page title={labels.yourActivity} lead={labels.signInsChanges}>
      <AuditView
        source="own"
        search={search}
        onSearch={(next, isInPlace = false) =>
          void navigate({ search: next, replace: isInPlace, resetScroll: false })
        }
      />
    </Page>
  );
}
