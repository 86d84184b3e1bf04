import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Gateway } from '../../../api/gateways.ts';
import { counted } from '../../../lib/counted.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { formatTime } from '../../../ui/time.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { cacheWords, logWords, rateLimitWords, retryWords } from '../settings/setting-words.ts';
import { gatewayUrl } from '../../../lib/site.ts';
import { labels } from './labels.ts';

const SETTINGS = '/accounts/$accountId/ai-gateway/gateways/$gatewayId/settings';

/** The settings of a gateway in words, each with the way to where it is changed. */
export function RulesCard() {
  const { access, gateway } = useGatewayOfPage();
  const params = { accountId: access.accountId, gatewayId: gateway.id };
  const targets = gateway.otel?.length ?? 0;
  return (
    <Card
      title={labels.requestHandling}
      actions={
        <LinkButton isSmall to={SETTINGS} params={params}>
          {labels.settings}
        </LinkButton>
      }
    >
      <Facts>
        <Fact name={labels.url}>
          <CopyText
            label={labels.copyUrl}
            text={`${gatewayUrl}/v1/${access.accountId}/${gateway.id}`}
          />
        </Fact>
        <Rule name={labels.logs} section="logs">
          {logWords(gateway)}
        </Rule>
        <Rule name={labels.cache} section="cache">
          {cacheWords(gateway)}
        </Rule>
        <Rule name={labels.rateLimit} section="rate-limit">
          {rateLimitOf(gateway)}
        </Rule>
        <Rule name={labels.retries} section="retries">
          {retryWords({
            attempts: gateway.retry_max_attempts || 1,
            delayMs: gateway.retry_delay ?? 0,
            backoff: gateway.retry_backoff ?? 'constant',
          })}
        </Rule>
        <Rule name={labels.opentelemetry} section="opentelemetry">
          {targets === 0 ? labels.off : labels.spansAreSentTo(counted(targets, 'collector'))}
        </Rule>
        <Fact name={labels.created}>{formatTime(gateway.created_at)}</Fact>
      </Facts>
    </Card>
  );
}

interface RuleProps {
  name: string;
  /** Of the page of settings. */
  section: string;
  children: ReactNode;
}

function Rule({ name, section, children }: RuleProps) {
  const { access, gateway } = useGatewayOfPage();
  const params = { accountId: access.accountId, gatewayId: gateway.id };
  return (
    <Fact
      name={
        <Link to={SETTINGS} params={params} hash={section} className="hover:underline">
          {name}
        </Link>
      }
    >
      {children}
    </Fact>
  );
}

function rateLimitOf(gateway: Gateway): string {
  const { rate_limiting_limit: requests, rate_limiting_interval: seconds } = gateway;
  if (!requests || !seconds) return labels.none;
  return rateLimitWords({
    requests,
    seconds,
    technique: gateway.rate_limiting_technique ?? 'fixed',
  });
}
