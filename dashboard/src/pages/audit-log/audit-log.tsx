import { useNavigate, useSearch } from '@tanstack/react-router';
import { Lock } from '../../ui/icons.tsx';
import { useAccountOfPage } from '../../api/accounts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Unseen } from '../role-needed.tsx';
import { AuditView } from './audit-view.tsx';
import { labels } from './labels.ts';

/** What was done in an account, by whom. */
export function AuditLog() {
  const access = useAccountOfPage();
  const search = useSearch({ from: '/accounts/$accountId/audit-log' });
  const navigate = useNavigate({ from: '/accounts/$accountId/audit-log' });
  return (
    <Page title={labels.auditLog} lead={labels.everyChangeInTheAccount}>
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
          what={labels.hiddenSubject}
          actions={<LinkButton to="/profile/activity">{labels.viewYourOwnActivity}</LinkButton>}
        />
      )}
    </Page>
  );
}
