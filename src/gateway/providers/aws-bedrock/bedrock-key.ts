import { parseObject } from '../../json/json-fields.ts';
import type { AwsCredentials } from './signature.ts';

/** What requests are signed with. */
export interface BedrockCredentials extends AwsCredentials {
  /** For addresses that do not tell theirs. */
  region?: string;
}

/**
 * A key as it is stored: a Bedrock API key, or the credentials of an AWS user or role as JSON, with
 * the fields `accessKeyId`, `secretAccessKey`, `sessionToken` and `region`, the last two if need be.
 * @returns an API key as text
 * @throws Error when it looks like JSON and is no such object; the key is not in the message
 */
export function readBedrockKey(key: string): string | BedrockCredentials {
  if (!key.trimStart().startsWith('{')) return key;
  const fields = parseObject(key);
  // The parser's own message would quote the text.
  if (fields === undefined)
    throw new Error('the key of aws-bedrock is neither an API key nor JSON');
  const { accessKeyId, secretAccessKey, sessionToken, region } = fields;
  if (!isText(accessKeyId) || !isText(secretAccessKey)) {
    throw new Error('the key of aws-bedrock lacks accessKeyId or secretAccessKey');
  }
  return {
    accessKeyId,
    secretAccessKey,
    ...(isText(sessionToken) ? { sessionToken } : {}),
    ...(isText(region) ? { region } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
