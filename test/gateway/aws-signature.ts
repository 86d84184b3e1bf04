import { createHash, createHmac } from 'node:crypto';
import type { OutgoingRequest } from '../../src/gateway/providers/provider.ts';

/** Of the test suite that AWS publishes for Signature Version 4. */
export const ACCESS_KEY_ID = 'AKIDEXAMPLE';
export const SECRET_ACCESS_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
export const SIGNED_AT_MS = Date.parse('2015-08-30T12:36:00.789Z');

/** The `authorization` of a request at that time, made as the AWS documentation tells, step by step. */
export function independentlySigned(
  { method, endpoint, body }: OutgoingRequest,
  region: string,
  token?: string,
): string {
  const [path = '', query = ''] = endpoint.path.split('?');
  const signedHeaders = `host;x-amz-date${token === undefined ? '' : ';x-amz-security-token'}`;
  const canonical = [
    method,
    // Every service but S3 has the path encoded once more than it is sent.
    path.split('/').map(encodeURIComponent).join('/'),
    query.split('&').sort().join('&'),
    `host:${new URL(endpoint.origin).host}`,
    'x-amz-date:20150830T123600Z',
    ...(token === undefined ? [] : [`x-amz-security-token:${token}`]),
    '',
    signedHeaders,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n');
  const scope = `20150830/${region}/bedrock/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', '20150830T123600Z', scope, digest].join('\n');
  let signingKey: Buffer | string = `AWS4${SECRET_ACCESS_KEY}`;
  for (const part of scope.split('/')) {
    signingKey = createHmac('sha256', signingKey).update(part).digest();
  }
  const signature = createHmac('sha256', signingKey).update(toSign).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY_ID}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}
