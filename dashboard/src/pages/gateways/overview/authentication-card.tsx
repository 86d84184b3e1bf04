import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isMadeFor, runTokensQuery } from '../../../api/gateway-activity.ts';
import { counted } from '../../../lib/counted.ts';
import { Card } from '../../../ui/page.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { AuthenticationSwitch } from '../token/authentication-switch.tsx';
import { CreateToken } from '../token/gateway-token.tsx';
import { labels } from './labels.ts';

/** Authentication of a gateway that has it switched on: its tokens, and the switch. */
export function AuthenticationCard({ onCreateToken }: { onCreateToken: () => void }) {
  const { access } = useGatewayOfPage();
  return (
    <Card
      title={labels.authentication}
      lead={labels.authenticatedGatewayIsOnEach}
      footer={
        <>
          <AuthenticationSwitch />
          <CreateToken look="primary" onClick={onCreateToken} />
        </>
      }
    >
      <div className="space-y-4">
        <TokenCount />
        {access.can('ai-gateway.write') ? (
          <ReadOnly access={access} permission="api-tokens.write" deed="create tokens" />
        ) : (
          <ReadOnly
            access={access}
            permission="ai-gateway.write"
            deed="create tokens or turn off authentication"
          />
        )}
      </div>
    </Card>
  );
}

/** How many tokens may run requests through the gateway, as far as the person may know. */
export function TokenCount() {
  const { access, gateway } = useGatewayOfPage();
  const { accountId } = access;
  const maySee = access.can('api-tokens.read');
  const query = runTokensQuery({ accountId, gatewayId: gateway.id });
  const { data: tokens } = useQuery({ ...query, enabled: maySee });
  if (!maySee) return null;
  if (tokens === undefined) {
    return <p className="text-[0.9375rem] text-muted">{labels.loadingTokens}</p>;
  }
  const own = tokens.filter((token) => isMadeFor(token, gateway.id)).length;
  return (
    <p className="text-[0.9375rem]">
      {tokensWords(own, tokens.length - own)}{' '}
      <Link to="/accounts/$accountId/tokens" params={{ accountId }} className="underline">
        {labels.apiTokens}
      </Link>
    </p>
  );
}

function tokensWords(own: number, others: number): string {
  const made = own === 0 ? labels.noToken : counted(own, 'token');
  const first = labels.ofThisAccountLimited(made, own > 1 ? 'are' : 'is');
  if (others === 0) return `${first}.`;
  return own === 0
    ? labels.butCanRunRequestsThrough(first, counted(others, 'token'))
    : labels.inAdditionCanRunRequests(first, counted(others, 'other'));
}
