import { useNavigate, useSearch } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useAccountOfPage } from '../../api/accounts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Unseen } from '../role-needed.tsx';
import { AuditView } from './audit-view.tsx';

/** What was done in an account, by whom. */
export function AuditLog() {
  const access = useAccountOfPage();
  const search = useSearch({ from: '/accounts/$accountId/audit-log' });
  const navigate = useNavigate({ from: '/accounts/$accountId/audit-log' });
  return (
    <Page
      title="Audit log"
      lead="Every change in the account and every refusal: who, what, when and from where. Nothing in it can be changed or removed."
    >
      {access.can('audit-logs.read') ? (
        <AuditView
          source={{ accountId: access.accountId }}
          search={search}
          onSearch={(next, isInPlace = false) =>
            void navigate({ search: next, replace: isInPlace, resetScroll: false })
          }
        />
      ) : (
        <Unseen
          access={access}
          permission="audit-logs.read"
          icon={<Lock />}
          what="the audit log"
          actions={<LinkButton to="/profile/activity">See your own activity</LinkButton>}
        />
      )}
    </Page>
  );
}
