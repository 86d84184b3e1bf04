import { Link, type LinkProps } from '@tanstack/react-router';

interface ResourceLinkProps {
  accountId: string;
  type: string;
  id: string;
  className: string;
}

/** The way to a resource of an account, where it has a page of its own. */
export function ResourceLink({ accountId, type, id, className }: ResourceLinkProps) {
  const way = wayTo(type, accountId, id);
  if (way === undefined) return null;
  return (
    <Link {...way.link} className={className}>
      {way.label}
    </Link>
  );
}

interface Way {
  label: string;
  link: LinkProps;
}

function wayTo(type: string, accountId: string, id: string): Way | undefined {
  switch (type) {
    case 'oauth_client': {
      const params = { accountId, clientId: id };
      const to = '/accounts/$accountId/oauth-clients/$clientId';
      return { label: 'Open the OAuth client', link: { to, params } };
    }
    case 'ai_gateway': {
      const params = { accountId, gatewayId: id };
      const to = '/accounts/$accountId/ai-gateway/gateways/$gatewayId';
      return { label: 'Open the AI gateway', link: { to, params } };
    }
    case 'api_token': {
      const params = { accountId, tokenId: id };
      return {
        label: 'Open the API token',
        link: { to: '/accounts/$accountId/tokens/$tokenId', params },
      };
    }
    case 'member':
      return {
        label: 'View members',
        link: { to: '/accounts/$accountId/members', params: { accountId } },
      };
    case 'account':
      return {
        label: 'Open the account',
        link: { to: '/accounts/$accountId/settings', params: { accountId } },
      };
    default:
      return undefined;
  }
}
