import { shellWord } from './shell-command.ts';

/** A client as the token endpoint has to know it. */
interface RedeemingClient {
  id: string;
  authMethod: 'client_secret_basic' | 'client_secret_post' | 'none';
}

interface Redemption {
  code: string;
  redirectUri: string;
  /** Undefined for a request without a challenge. */
  verifier: string | undefined;
}

/** The variable that the command takes the secret from: nobody types it into a history of commands. */
export const SECRET_VARIABLE = 'CLIENT_SECRET';

/** The command that turns a code into tokens (RFC 6749 section 4.1.3). */
export function tokenCommand(
  issuer: string,
  { id, authMethod }: RedeemingClient,
  { code, redirectUri, verifier }: Redemption,
): string {
  const fields = [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ['redirect_uri', redirectUri],
    ...(verifier === undefined ? [] : [['code_verifier', verifier]]),
    ...(authMethod === 'client_secret_basic' ? [] : [['client_id', id]]),
  ];
  const secret: Readonly<Record<RedeemingClient['authMethod'], string[]>> = {
    client_secret_basic: [`-u "${id}:$${SECRET_VARIABLE}"`],
    client_secret_post: [`--data-urlencode "client_secret=$${SECRET_VARIABLE}"`],
    none: [],
  };
  return [
    `curl ${shellWord(`${issuer}/oauth2/token`)}`,
    ...secret[authMethod],
    ...fields.map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}
