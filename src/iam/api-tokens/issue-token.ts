import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import { createId } from '../../lib/ids.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import type { ChangeTools } from '../changes.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { iamErrors } from '../iam-errors.ts';
import type { TokenDefinition } from './parse-token-input.ts';
import { type TokenOwnership, tokenChange } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import type { CreatedTokenSchema } from './token-schemas.ts';
import { type ApiToken, type TokenOwner, insertToken, lockAndCountTokens } from './token-store.ts';

/**
 * Makes a token whose definition was checked against what its creator holds.
 * @returns the token as it is shown, with the value that nobody sees again
 * @throws ApiError 3014 when the owner has as many as it may have
 */
export async function issueToken(
  { tx, announce, audit, recheckAccess }: ChangeTools,
  { prefix, maxTokens }: TokenOwnership,
  definition: TokenDefinition & { owner: TokenOwner; status?: ApiToken['status'] },
  { brand, nowMs }: { brand: string; nowMs: number },
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
