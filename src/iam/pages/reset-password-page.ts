import { MIN_PASSWORD_LENGTH } from '../passwords/check-new-password.ts';
import { findResetPerson, resetPassword } from '../passwords/reset-password.ts';
import type { User } from '../users/user-store.ts';
import { type Field, renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formToken } from './form-token.ts';
import { type Html, html } from './html.ts';
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
import { forgetReturnTo, recallReturnTo } from './remembered-return-to.ts';
import { withReturnTo } from './return-to.ts';

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
    leadsElsewhere: true,
    show: ({ request, query }) => showForm(services, request, query.get('token') ?? ''),
    async submit({ request, fields }) {
      const token = fields.get('token') ?? '';
      try {
        checkForm(services, request, fields);
        const newPassword = fields.get('new_password') ?? '';
        const session = await resetPassword(services, { token, newPassword, request });
        const returnTo = recallReturnTo(services, request);
        const next = session.isComplete ? returnTo : withReturnTo(SECOND_FACTOR_PATH, returnTo);
        return goTo(next, [...session.cookies, forgetReturnTo(services)]);
      } catch (error) {
        return showForm(services, request, token, toFormRefusal(error));
      }
    },
  };
}

function badLink(returnTo: string): PageReply {
  const again = withReturnTo('/forgot-password', returnTo);
  return {
    status: 400,
    content: {
      title: 'This link does not work any more',
      lead: 'A link to choose a password works for an hour, until a password is chosen.',
      body: html`<p class="aside"><a href="${again}">Ask for a new link</a></p>`,
    },
  };
}

/** What becomes of the person's other credentials, see resetPassword. */
function consequences({ emailVerifiedAtMs }: User): Html {
  if (emailVerifiedAtMs === undefined) {
    return html`<p class="hint">
      Everything else that was set up to sign in with, and every API token, will stop working:
      nobody has shown yet that this e-mail address is theirs.
    </p>`;
  }
  return html`<p class="hint">
    Your passkeys and API tokens keep working. If somebody else may have them, end them afterwards:
    <code>DELETE /user/passkeys/…</code> and <code>DELETE /user/tokens/…</code>, as the
    <a href="/docs">reference</a> describes.
  </p>`;
}

async function showForm(
  services: PageServices,
  request: PageRequest['request'],
  token: string,
  refusal?: FormRefusal,
): Promise<PageReply> {
  const { database, clock } = services;
  const person = await findResetPerson(database.read, token, clock.now());
  if (person === undefined) return badLink(recallReturnTo(services, request));
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
      })}
      ${consequences(person)}`,
    },
  };
}
