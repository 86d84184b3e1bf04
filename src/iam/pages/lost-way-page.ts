import { findPresentedSession } from '../sessions/presented-session.ts';
import { html } from './html.ts';
import { type Page, type PageServices, goTo } from './page.ts';
import { signInPath } from './sign-in-wishes.ts';

/** Where a person goes on who came from a place that was too long to be remembered. */
export const LOST_WAY_PATH = '/signed-in';

/** `/signed-in`: tells how to go on after a sign-in that leads nowhere. */
export function lostWayPage(services: PageServices): Page {
  return {
    path: LOST_WAY_PATH,
    async show({ request }) {
      const session = await findPresentedSession(services, request);
      if (session === undefined) return goTo(signInPath({ returnTo: LOST_WAY_PATH }));
      return {
        content: {
          title: 'You are signed in',
          lead: html`As <strong>${session.principal.user.email}</strong>. What you were about to do
            was too long to be remembered meanwhile: go back to where you came from and begin again.`,
        },
      };
    },
  };
}
