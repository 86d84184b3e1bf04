import type { LinkProps } from '@tanstack/react-router';
import type { OAuthClient } from '../../api/oauth-clients.ts';
import { relativeTime } from '../../ui/time.tsx';
import type { Glance } from './glance.ts';
import { labels } from './labels.ts';

/** Something that somebody should look after. */
export interface Attention {
  /** Of its own among all of them. */
  id: string;
  tone: 'warning' | 'danger';
  /** What it is about: a name. */
  subject: string;
  text: string;
  link: LinkProps;
}

const SOON_MS = 14 * 86_400_000;

type Source = (glance: Glance, nowMs: number) => Attention[];

/** Where things that need attention come from. A new page of an account adds its own. */
const sources: readonly Source[] = [ownSignIn, clientsToLookAfter, tokensThatEnd];

/**
 * All that needs attention.
 * @param isGuided whether the first steps are shown, which tell of the person's sign-in
 */
export function attentionOf(glance: Glance, nowMs: number, isGuided: boolean): Attention[] {
  return sources
    .filter((source) => !(isGuided && source === ownSignIn))
    .flatMap((source) => source(glance, nowMs));
}

function ownSignIn({ hasSecondFactor }: Glance): Attention[] {
  if (hasSecondFactor) return [];
  return [
    {
      id: 'second-factor',
      tone: 'warning',
      subject: labels.yourSignIn,
      text: labels.yourAccountIsProtected,
      link: { to: '/profile/security' },
    },
  ];
}

function clientsToLookAfter({ access, clients = [] }: Glance): Attention[] {
  return clients.flatMap((client) => {
    const { client_id: clientId, client_name: subject } = client;
    const link = {
      to: '/accounts/$accountId/oauth-clients/$clientId',
      params: { accountId: access.accountId, clientId },
    } as const;
    return troublesOf(client).map((trouble, index) => ({
      id: `${clientId}-${index}`,
      subject,
      link,
      ...trouble,
    }));
  });
}

function troublesOf(client: OAuthClient): Pick<Attention, 'tone' | 'text'>[] {
  const { client_uri_verification: verification, has_rotated_secret: hasTwoSecrets } = client;
  const troubles: Pick<Attention, 'tone' | 'text'>[] = [];
  if (verification?.status === 'failed') {
    const text = labels.domainVerificationFailed(verification.host);
    troubles.push({ tone: 'danger', text });
  } else if (verification?.warning !== undefined) {
    const text = labels.theTxtRecord(verification.host);
    troubles.push({ tone: 'warning', text });
  }
  if (hasTwoSecrets) {
    const text = labels.twoSecretsAreActiveDelete;
    troubles.push({ tone: 'warning', text });
  }
  return troubles;
}

function tokensThatEnd({ access, tokens = [] }: Glance, nowMs: number): Attention[] {
  return tokens.flatMap(({ id, name, expires_on: end }) => {
    if (end === undefined || Date.parse(end) - nowMs > SOON_MS) return [];
    const params = { accountId: access.accountId, tokenId: id };
    return [
      {
        id,
        tone: 'warning' as const,
        subject: name,
        text: labels.thisApiTokenExpires(relativeTime(end, nowMs)),
        link: { to: '/accounts/$accountId/tokens/$tokenId', params },
      },
    ];
  });
}
