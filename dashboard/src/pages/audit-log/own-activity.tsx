import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { AuditView } from './audit-view.tsx';

/** What happened to the person: sign-ins, factors, sessions, applications. */
export function OwnActivity() {
  const search = useSearch({ from: '/profile/activity' });
  const navigate = useNavigate({ from: '/profile/activity' });
  return (
    <Page
      title="Your activity"
      lead="Sign-ins, changes of how you sign in, and applications that you let act for you. What you do in an account is in its audit log."
    >
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
