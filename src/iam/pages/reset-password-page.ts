import { MIN_PASSWORD_LENGTH } from '../passwords/check-new-password.ts';
import { findResetPerson, resetPassword } from '../passwords/reset-password.ts';
import { type Field, renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formToken } from './form-token.ts';
import { html } from './html.ts';
import { SECOND_FACTOR_PATH } from './login-page.ts';
import {
  type FormRefusal,
  type Page,
  type PageReply,
  type PageRequest,
  type PageServices,
  goTo,
  toFormRefusal,
} from './page.ts';

/** The line in which somebody chooses a password. */
export const NEW_PASSWORD_FIELD: Field = {
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: MIN_PASSWORD_LENGTH,
  hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few words that do not belong together are easy to remember.`,
};

/** `/reset-password?token=`: chooses a password with a link. */
export function resetPasswordPage(services: PageServices): Page {
  return {
    path: '/reset-password',
    show: ({ request, query }) => showForm(services, request, query.get('token') ?? ''),
    async submit({ request, fields }) {
      const token = fields.get('token') ?? '';
      try {
        checkForm(services, request, fields);
        const newPassword = fields.get('new_password') ?? '';
        const session = await resetPassword(services, { token, newPassword, request });
        return goTo(session.isComplete ? '/' : SECOND_FACTOR_PATH, session.cookies);
      } catch (error) {
        return showForm(services, request, token, toFormRefusal(error));
      }
    },
  };
}

const BAD_LINK: PageReply = {
  status: 400,
  content: {
    title: 'This link does not work any more',
    lead: 'A link to choose a password works once, for an hour, and only the latest one works.',
    body: html`<p class="aside"><a href="/forgot-password">Ask for a new link</a></p>`,
  },
};

async function showForm(
  services: PageServices,
  request: PageRequest['request'],
  token: string,
  refusal?: FormRefusal,
): Promise<PageReply> {
  const { database, clock } = services;
  const person = await findResetPerson(database.read, token, clock.now());
  if (person === undefined) return BAD_LINK;
  const { token: formTokenValue, cookie } = formToken(services, request);
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers, 'set-cookie': [cookie] },
    content: {
      title: 'Choose a new password',
      lead: html`For <strong>${person.email}</strong>. Every browser that is signed in will be
        signed out.`,
      error: refusal?.message,
      body: html`${renderForm({
        action: '/reset-password',
        hidden: { [FORM_TOKEN]: formTokenValue, token },
        username: person.email,
        hasError: refusal !== undefined,
        fields: [{ ...NEW_PASSWORD_FIELD, isFirst: true }],
        submit: 'Save the password',
      })}`,
    },
  };
}
