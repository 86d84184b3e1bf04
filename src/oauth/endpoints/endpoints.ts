import type { OAuthServices } from '../oauth-services.ts';
import type { Endpoint } from './endpoint.ts';

/** Every endpoint that programs use. */
export function oauthEndpoints(_services: OAuthServices): Endpoint[] {
  return [];
}
