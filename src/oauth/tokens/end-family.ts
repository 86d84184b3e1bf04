import type { RequestFacts } from '../../http/route.ts';
import { type AuditEntry, appendAudit } from '../../iam/audit/audit-entry.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { type Family, deleteFamily } from './family-store.ts';

type Cause = 'code_reuse' | 'refresh_token_reuse' | 'revoke';

/**
 * Reuse: only a thief still has what was used, or a client that a thief was faster than (RFC 6749
 * section 4.1.2, RFC 9700 section 4.14.2).
 */
const ACTIONS: Readonly<
  Record<Cause, Pick<AuditEntry['action'], 'result' | 'description'> & { statusCode: number }>
> = {
  code_reuse: {
    result: 'failure',
    description: 'Revoked the tokens of an authorization code that was used twice',
    statusCode: 400,
  },
  refresh_token_reuse: {
    result: 'failure',
    description: 'Revoked the tokens of an authorization whose refresh token was used twice',
    statusCode: 400,
  },
  revoke: {
    result: 'success',
    description: 'An OAuth client revoked its own authorization',
    statusCode: 200,
  },
};

/** Ends an authorization with all its tokens on behalf of its client; the person's log tells of it. */
export async function endFamily(
  { database, clock, users }: Pick<OAuthServices, 'database' | 'clock' | 'users'>,
  client: RegisteredClient,
  family: Family,
  cause: Cause,
  request: RequestFacts,
): Promise<void> {
  const user = await users.find(family.userId);
  const { statusCode, ...action } = ACTIONS[cause];
  const entry: AuditEntry = {
    chain: { userId: family.userId },
    action: { type: cause, ...action },
    actor: {
      type: 'oauth',
      context: 'oauth',
      id: family.userId,
      email: user?.email,
      ipAddress: request.ip,
      tokenId: client.id,
      tokenName: client.name,
    },
    resource: { type: 'oauth_grant', id: family.grantId, product: 'oauth_clients' },
    raw: { request, statusCode },
  };
  await database.transaction(async (tx, announce) => {
    // Of several who want it ended at once, one ends it.
    const isEnded = await deleteFamily(tx, announce, family.id);
    if (isEnded) await appendAudit(tx, entry, clock.now());
  });
}
