import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ResourceLinkProps {
  accountId: string;
  type: string;
  id: string;
  className: string;
}

/** The way to a resource of an account, where it has a page of its own. */
export function ResourceLink({ accountId, type, id, className }: ResourceLinkProps): ReactNode {
  switch (type) {
    case 'oauth_client':
      return (
        <Link
          to="/accounts/$accountId/oauth-clients/$clientId"
          params={{ accountId, clientId: id }}
          className={className}
        >
          Open the OAuth client
        </Link>
      );
    case 'ai_gateway':
      return (
        <Link
          to="/accounts/$accountId/ai-gateway/gateways/$gatewayId"
          params={{ accountId, gatewayId: id }}
          className={className}
        >
          Open the AI gateway
        </Link>
      );
    case 'api_token':
      return (
        <Link
          to="/accounts/$accountId/tokens/$tokenId"
          params={{ accountId, tokenId: id }}
          className={className}
        >
          Open the API token
        </Link>
      );
    case 'member':
      return (
        <Link to="/accounts/$accountId/members" params={{ accountId }} className={className}>
          See the members
        </Link>
      );
    case 'account':
      return (
        <Link to="/accounts/$accountId/settings" params={{ accountId }} className={className}>
          Open the account
        </Link>
      );
    default:
      return null;
  }
}
