import type { TokenBody, TokenOwner } from '../../api/tokens.ts';
import { apiCommand, shellWord } from '../../lib/shell-command.ts';
import { baseUrl } from '../../lib/site.ts';

/** Where the tokens of an owner are. */
function addressOf(owner: TokenOwner): string {
  return owner.kind === 'user'
    ? `${baseUrl}/user/tokens`
    : `${baseUrl}/accounts/${owner.accountId}/tokens`;
}

/** The body as it is shown. */
export function jsonOf(body: TokenBody): string {
  return JSON.stringify(body, null, 2);
}

/**
 * The command that does what the form does.
 * @param tokenId of the token that is replaced; without one, a token is made
 */
export function curlOf(owner: TokenOwner, body: TokenBody, tokenId?: string): string {
  const address = addressOf(owner);
  return apiCommand({
    ...(tokenId === undefined ? { url: address } : { url: `${address}/${tokenId}`, method: 'PUT' }),
    body: jsonOf(body),
  });
}

/** The command that tries a value. */
export function verifyCommand(owner: TokenOwner, value: string): string {
  const address = shellWord(`${addressOf(owner)}/verify`);
  return `curl -sS ${address} \\\n  -H ${shellWord(`Authorization: Bearer ${value}`)}`;
}
