import { findPresentedSession } from '../sessions/presented-session.ts';
import { html } from './html.ts';
import { type Page, type PageReply, type PageServices, goTo } from './page.ts';
import { signInPath } from './sign-in-wishes.ts';

/** Where a person goes on who came from a place that was too long to be remembered. */
export const LOST_WAY_PATH = '/signed-in';

/** `/signed-in`: tells how to go on after a sign-in that leads nowhere, or to another tab. */
export function lostWayPage(services: PageServices): Page {
  return {
    path: LOST_WAY_PATH,
    async show({ request, query }) {
      const session = await findPresentedSession(services, request);
      if (session === undefined) {
        const returnTo = query.has('tab') ? `${LOST_WAY_PATH}?tab=yes` : LOST_WAY_PATH;
        return goTo(signInPath({ returnTo }));
      }
      const { email } = session.principal.user;
      if (query.has('tab')) return backToTab(email);
      return {
        content: {
          title: 'You are signed in',
          lead: html`You are signed in as <strong>${email}</strong>. The page that you came from
            could not be restored. Go back to it and try again.`,
        },
      };
    },
  };
}

/** The dashboard has opened this tab for a sign-in that it waits for. */
function backToTab(email: string): PageReply {
  return {
    content: {
      title: 'You are signed in',
      lead: html`You are signed in as <strong>${email}</strong>. Close this tab and return to the
        previous one. It continues automatically.`,
    },
  };
}
