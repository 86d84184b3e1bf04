import type { Page } from '../../iam/pages/page.ts';
import { describeEndpoints } from '../openapi-operations.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { authorizationPage } from './authorization-page.ts';
import { resumePage } from './resume-page.ts';
import { logoutPage } from '../oidc/logout-page.ts';
import { consentPage } from './consent-page.ts';

/** The pages for people whom a client has sent. */
export function authorizePages(services: OAuthServices): Page[] {
  return describeEndpoints([
    authorizationPage(services),
    resumePage(services),
    consentPage(services),
    logoutPage(services),
  ]);
}
