import { AwsV4Signer } from 'aws4fetch';
import type { HeaderPairs, OutgoingRequest } from '../provider.ts';

/** Of an AWS user, or of a role for a while. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * Signs a request with AWS Signature Version 4. The signature covers its method, host, path, query,
 * body and time, and no header that could still change on the way.
 * @returns the headers to send with it
 */
export async function signRequest(
  credentials: AwsCredentials,
  scope: { region: string; service: string },
  { method, endpoint, body, nowMs }: OutgoingRequest,
): Promise<HeaderPairs> {
  const signer = new AwsV4Signer({
    ...credentials,
    ...scope,
    method,
    url: endpoint.origin + endpoint.path,
    // Never memory that threads share, which is all that its type leaves open.
    body: body as Uint8Array<ArrayBuffer>,
    datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  });
  const { headers } = await signer.sign();
  return [...headers].flat();
}
