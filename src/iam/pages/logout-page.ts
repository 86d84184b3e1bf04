import { signOut } from '../sessions/delete-session.ts';
import { findPresentedSession } from '../sessions/presented-session.ts';
import { csrfTokenOf } from '../sessions/session-cookie.ts';
import { renderForm } from './form.ts';
import { FORM_TOKEN, checkForm } from './form-token.ts';
import { html } from './html.ts';
import { type Page, type PageServices, goTo } from './page.ts';

/** `/logout`: ends the session, once the person has said so. */
export function logoutPage(services: PageServices): Page {
  return {
    path: '/logout',
    async show({ request }) {
      const session = await findPresentedSession(services, request);
      if (session === undefined) return goTo('/login');
      const form = renderForm({
        action: '/logout',
        hidden: { [FORM_TOKEN]: csrfTokenOf(session.secret) },
        submit: 'Sign out',
      });
      return {
        content: {
          title: 'Sign out?',
          lead: html`You are signed in as <strong>${session.principal.user.email}</strong>.`,
          body: html`${form}
            <p class="aside"><a href="/">Stay signed in</a></p>`,
        },
      };
    },
    async submit({ request, fields }) {
      const session = await findPresentedSession(services, request);
      if (session === undefined) return goTo('/login');
      checkForm(services, request, fields, session.secret);
      const { headers } = await signOut(services, session.principal, request);
      return goTo('/login', headers?.['set-cookie']);
    },
  };
}
