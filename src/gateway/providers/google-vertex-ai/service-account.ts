import { objectIn, parseObject, textIn } from '../../json/json-fields.ts';

/** Google's token endpoint. */
export const GOOGLE_TOKEN_URI = 'https://oauth2.googleapis.com/token';

/** The key of a Google service account. */
export interface ServiceAccount {
  clientEmail: string;
  /** PKCS #8, in PEM. */
  privateKey: string;
  privateKeyId: string | undefined;
  tokenUri: string;
}

/** Returns true for the key of a service account, which is a JSON object, unlike an access token. */
export function isServiceAccountKey(key: string): boolean {
  return key.trimStart().startsWith('{');
}

/**
 * Reads the JSON file of a service account.
 * @param ownOrigin origin of the operator's token endpoint, which a key may name instead of Google's
 * @throws Error for an invalid file, or one with another token endpoint
 */
export function readServiceAccount(key: string, ownOrigin: string | undefined): ServiceAccount {
  const fields = objectIn(parseObject(key));
  const clientEmail = textIn(fields.client_email);
  const privateKey = textIn(fields.private_key);
  if (clientEmail === undefined || privateKey === undefined) {
    throw new Error('the key is JSON, but not a service account key');
  }
  const tokenUri = textIn(fields.token_uri) ?? GOOGLE_TOKEN_URI;
  // Otherwise, a user who may store keys could make the server call any address.
  if (tokenUri !== GOOGLE_TOKEN_URI && originOf(tokenUri) !== ownOrigin) {
    throw new Error(`the token_uri of the service account must be ${GOOGLE_TOKEN_URI}`);
  }
  return { clientEmail, privateKey, privateKeyId: textIn(fields.private_key_id), tokenUri };
}

/** Returns the origin of a URL. For an invalid URL, returns a text that equals no origin. */
function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}
