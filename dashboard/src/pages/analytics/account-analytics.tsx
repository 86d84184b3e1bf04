import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChartColumn } from '../../ui/icons.tsx';
import { useAccountOfPage } from '../../api/accounts.ts';
import { Page } from '../../ui/page.tsx';
import { Unseen } from '../role-needed.tsx';
import { AnalyticsView } from './analytics-view.tsx';
import { labels } from './labels.ts';

const HERE = '/accounts/$accountId/ai-gateway/analytics';

/** The figures of all gateways of an account. */
export function AccountAnalytics() {
  const access = useAccountOfPage();
  const search = useSearch({ from: HERE });
  const navigate = useNavigate({ from: HERE });
  return (
    <Page
      title={labels.analytics}
      windowTitle={labels.aiAnalytics}
      isWide
      lead={labels.requestsErrorsLatencyAndCost}
    >
      {access.can('ai-gateway.read') ? (
        <AnalyticsView
          access={access}
          source={{ accountId: access.accountId }}
          search={search}
          onSearch={(next) => void navigate({ search: next, resetScroll: false })}
        />
      ) : (
        <Unseen
          access={access}
          permission="ai-gateway.read"
          icon={<ChartColumn />}
          what={labels.hiddenSubject}
        />
      )}
    </Page>
  );
}
