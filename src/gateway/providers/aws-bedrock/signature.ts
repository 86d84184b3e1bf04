import { AwsV4Signer } from 'aws4fetch';
import type { HeaderPairs, OutgoingRequest } from '../provider.ts';

/** The credentials of an AWS user, or temporary ones of a role. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * Signs a request with AWS Signature Version 4. The signature covers method, host, path, query, body and time, and no
 * header that could change later.
 * @returns the headers of the signature
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
    // The type does not exclude memory that threads share, but a body never is.
    body: body as Uint8Array<ArrayBuffer>,
    datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  });
  const { headers } = await signer.sign();
  return [...headers].flat();
}
