import { type Sealer, sealerFromSecret } from '../../lib/sealing.ts';
import { digestSecret } from '../../lib/secrets.ts';
import { REFRESH_GRACE_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { TokenPair } from './token-answer.ts';
import { type RefreshToken, findRefreshToken } from './token-store.ts';

/** Only who presents the refresh token can name the key. */
function sealerOf(refreshToken: string): Sealer {
  return sealerFromSecret(refreshToken, 'refresh answer');
}

/** What came out of a refresh token, so that nobody but its bearer can read it. */
export function sealAnswer(pair: TokenPair, refreshToken: string): string {
  return sealerOf(refreshToken).seal(JSON.stringify(pair), digestSecret(refreshToken));
}

/**
 * What the use of a refresh token was answered with, for a client that never received it.
 * @param stored of a token that was used
 * @returns undefined when the grace is over, or somebody has used the answer
 */
export async function findEarlierAnswer(
  { database, clock }: Pick<OAuthServices, 'database' | 'clock'>,
  { digest, usedAtMs = 0, successorDigest, sealedResponse }: RefreshToken,
  refreshToken: string,
): Promise<TokenPair | undefined> {
  if (successorDigest === undefined || sealedResponse === undefined) return undefined;
  // Also while that lies ahead, because the clock was set back: there would be no end to the grace.
  if (Math.abs(clock.now() - usedAtMs) >= REFRESH_GRACE_MS) return undefined;
  const successor = await findRefreshToken(database.read, successorDigest);
  if (successor === undefined || successor.usedAtMs !== undefined) return undefined;
  return JSON.parse(sealerOf(refreshToken).open(sealedResponse, digest)) as TokenPair;
}
