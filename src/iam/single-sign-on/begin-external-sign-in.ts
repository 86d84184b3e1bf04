import type { IamServices } from '../iam-services.ts';
import { type Page, goTo } from '../pages/page.ts';
import { readWishes } from '../pages/sign-in-wishes.ts';
import { CALLBACK_PATH, EXTERNAL_PATH, type ExternalSignIn } from './external-sign-in.ts';
import { ProviderTrouble } from './provider-trouble.ts';
import { notAPageReply, providerTroubleReply } from './refusal-pages.ts';
import { rememberSignIn } from './sign-in-under-way.ts';

/** `/login/external`: redirects to the OpenID provider. The browser keeps the state; the server stores nothing. */
export function beginExternalSignInPage(
  services: IamServices,
  { name, provider: loadProvider }: ExternalSignIn,
): Page {
  return {
    path: EXTERNAL_PATH,
    async show({ request, query }) {
      const wishes = readWishes(query);
      // An image in some other site's page must not make the browser forget a sign-in under way.
      const destination = request.headers['sec-fetch-dest'];
      if (destination !== undefined && destination !== 'document') return notAPageReply();
      try {
        const provider = await loadProvider();
        // While the provider is down, nothing is remembered.
        await provider.prepare();
        const { remembered, cookies } = rememberSignIn(services, request, wishes);
        const redirectUri = services.origin() + CALLBACK_PATH;
        const url = await provider.authorizationUrl(redirectUri, remembered, wishes);
        return goTo(url.href, cookies);
      } catch (error) {
        if (!(error instanceof ProviderTrouble)) throw error;
        return providerTroubleReply(services, name, wishes.returnTo, error);
      }
    },
  };
}
