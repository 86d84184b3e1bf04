import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Lock } from '../../ui/icons.tsx';
import type { ReactNode } from 'react';
import { type Access, useAccountOfPage } from '../../api/accounts.ts';
import { type Gateway, gatewayQuery } from '../../api/gateways.ts';
import { Page } from '../../ui/page.tsx';
import { SectionNav } from '../../ui/section-nav.tsx';
import { Unseen } from '../role-needed.tsx';
import { AuthenticationBadge } from './gateway-rows.tsx';
import { labels } from './labels.ts';

/** The gateway of the page that asks: one below `/ai-gateway/gateways/$gatewayId`. */
export function useGatewayOfPage(): { access: Access; gateway: Gateway } {
  const access = useAccountOfPage();
  const { gatewayId = '' } = useParams({ strict: false });
  const { data: gateway } = useSuspenseQuery(gatewayQuery(access.accountId, gatewayId));
  return { access, gateway };
}

interface IfMaySeeProps {
  /** Which page of a gateway it is: "Logs". */
  section: string;
  children: ReactNode;
}

/**
 * A page of a gateway, for whoever may see gateways. All others are told why not before anything is asked for:
 * the API would write each refusal into the audit log.
 */
export function IfMaySee({ section, children }: IfMaySeeProps) {
  const access = useAccountOfPage();
  if (access.can('ai-gateway.read')) return children;
  return (
    <Page title={section}>
      <Unseen
        access={access}
        permission="ai-gateway.read"
        icon={<Lock />}
        what={labels.aiGateways}
      />
    </Page>
  );
}

const HOME = '/accounts/$accountId/ai-gateway/gateways/$gatewayId';

interface GatewayPageProps {
  /** Which of its pages this is: "Logs". */
  section: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Around each page of a gateway: its name, and the way to the others. */
export function GatewayPage({ section, lead, actions, children }: GatewayPageProps) {
  const { access, gateway } = useGatewayOfPage();
  const { accountId } = access;
  const params = { accountId, gatewayId: gateway.id };
  return (
    <Page
      title={gateway.id}
      windowTitle={`${section} – ${gateway.id}`}
      // All of them, so that nothing jumps from page to page.
      isWide
      beside={<AuthenticationBadge isOn={gateway.authentication} />}
      back={{
        label: labels.gateways,
        to: '/accounts/$accountId/ai-gateway/gateways',
        params: { accountId },
      }}
    >
      <SectionNav
        label={labels.pagesOf(gateway.id)}
        sections={[
          { label: labels.overview, link: { to: HOME, params } },
          { label: labels.playground, link: { to: `${HOME}/playground`, params } },
          { label: labels.logs, link: { to: `${HOME}/logs`, params } },
          { label: labels.analytics, link: { to: `${HOME}/analytics`, params } },
          { label: labels.keys, link: { to: `${HOME}/keys`, params } },
          { label: labels.settings, link: { to: `${HOME}/settings`, params } },
        ]}
      />
      {(lead !== undefined || actions !== undefined) && (
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <p className="max-w-prose min-w-0 flex-1 basis-64 text-muted">{lead}</p>
          {actions}
        </div>
      )}
      {children}
    </Page>
  );
}
