import { objectIn, parseObject, textIn } from '../../json/json-fields.ts';

/** Where Google exchanges the keys of service accounts. */
export const GOOGLE_TOKEN_URI = 'https://oauth2.googleapis.com/token';

/** What a key of a Google service account says. */
export interface ServiceAccount {
  clientEmail: string;
  /** PKCS #8, in PEM. */
  privateKey: string;
  privateKeyId: string | undefined;
  tokenUri: string;
}

/** Whether a key is one of a service account: a JSON object, unlike an access token. */
export function isServiceAccountKey(key: string): boolean {
  return key.trimStart().startsWith('{');
}

/**
 * Reads the JSON file that Google gives out for a service account.
 * @param ownOrigin of the operator, from where keys may name a token address of their own
 * @throws Error when it is none, or would be sent elsewhere
 */
export function readServiceAccount(key: string, ownOrigin: string | undefined): ServiceAccount {
  const fields = objectIn(parseObject(key));
  const clientEmail = textIn(fields.client_email);
  const privateKey = textIn(fields.private_key);
  if (clientEmail === undefined || privateKey === undefined) {
    throw new Error('the key is JSON, but not a service account key');
  }
  const tokenUri = textIn(fields.token_uri) ?? GOOGLE_TOKEN_URI;
  // Anybody who may store a key would otherwise make the server call any address.
  if (tokenUri !== GOOGLE_TOKEN_URI && originOf(tokenUri) !== ownOrigin) {
    throw new Error(`the token_uri of the service account must be ${GOOGLE_TOKEN_URI}`);
  }
  return { clientEmail, privateKey, privateKeyId: textIn(fields.private_key_id), tokenUri };
}

/** Something that no origin equals, when it is no address at all. */
function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}
