import { html } from './html.ts';
import type { PageReply, PageServices } from './page.ts';
import { withReturnTo } from './return-to.ts';

/** The page in place of a form for a password, on a server without passwords. */
export function passwordsOffReply(
  { externalSignIn }: Pick<PageServices, 'externalSignIn'>,
  returnTo: string,
): PageReply {
  return {
    status: 403,
    content: {
      title: 'Passwords are turned off',
      lead: `Sign in with ${externalSignIn?.name ?? 'a passkey'}.`,
      body: html`<p class="aside"><a href="${withReturnTo('/login', returnTo)}">Sign in</a></p>`,
    },
  };
}
