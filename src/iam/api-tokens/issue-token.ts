import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import type { ChangeTools } from '../changes.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { iamErrors } from '../iam-errors.ts';
import { type CredentialPrincipal, userOf } from '../principal.ts';
import type { TokenDefinition } from './parse-token-input.ts';
import { type TokenOwnership, tokenChange } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import type { CreatedTokenSchema } from './token-schemas.ts';
import { type ApiToken, type TokenOwner, insertToken, lockAndCountTokens } from './token-store.ts';

/**
 * Creates a token. The caller has checked its definition against the permissions of its creator.
 * @returns the token with its value, which no later response contains
 * @throws ApiError 3014 if the owner has reached its limit of tokens
 */
export async function issueToken(
  { tx, announce, audit, recheckAccess }: ChangeTools,
  { prefix, maxTokens }: TokenOwnership,
  definition: TokenDefinition & { owner: TokenOwner; status?: ApiToken['status'] },
  { principal, brand, nowMs }: { principal: CredentialPrincipal; brand: string; nowMs: number },
): Promise<Static<typeof CreatedTokenSchema>> {
  const value = createSecret(prefix);
  const digest = digestSecret(value);
  const token: ApiToken = {
    id: createId(),
    status: 'active',
    ...definition,
    issuedAtMs: nowMs,
    modifiedAtMs: nowMs,
    lastUsedAtMs: undefined,
    createdBy: {
      email: userOf(principal)?.email,
      clientId: principal.type === 'oauth' ? principal.authorization.clientId : undefined,
    },
  };
  if ((await lockAndCountTokens(tx, token.owner)) >= maxTokens) {
    throw apiError(iamErrors.tooManyTokens);
  }
  await recheckAccess();
  await insertToken(tx, token, digest);
  announce(tokenAnnouncement(digest));
  audit(tokenChange(token, 'create', 'Created an API token'));
  return { ...presentToken(token, brand, nowMs), value };
}
