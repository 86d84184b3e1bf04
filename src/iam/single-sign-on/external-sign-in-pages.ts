import type { IamServices } from '../iam-services.ts';
import type { Page } from '../pages/page.ts';
import { beginExternalSignInPage } from './begin-external-sign-in.ts';
import { completeExternalSignInPage } from './complete-external-sign-in.ts';

/** The way to the OpenID provider and back; nothing when there is none. */
export function externalSignInPages(services: IamServices): Page[] {
  const { externalSignIn } = services;
  if (externalSignIn === undefined) return [];
  return [
    beginExternalSignInPage(services, externalSignIn),
    completeExternalSignInPage(services, externalSignIn),
  ];
}
