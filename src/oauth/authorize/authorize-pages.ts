import type { Page } from '../../iam/pages/page.ts';
import type { OAuthServices } from '../oauth-services.ts';

/** The pages for people whom a client has sent. */
export function authorizePages(_services: OAuthServices): Page[] {
  return [];
}
