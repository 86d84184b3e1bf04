import { MIN_PASSWORD_LENGTH } from '../passwords/check-new-password.ts';
import { findResetPerson, resetPassword } from '../passwords/reset-password.ts';
import type { User } from '../users/user-store.ts';
import { type Field, renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formSecret, formToken } from './form-token.ts';
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
import { passwordsOffReply } from './passwords-off.ts';
import { orEarlierResult } from './repeated-submission.ts';
import { forgetReturnTo, recallReturnTo } from './remembered-return-to.ts';
import { withReturnTo } from './return-to.ts';

/** The line in which somebody chooses a password. */
export const NEW_PASSWORD_FIELD: Field = {
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: MIN_PASSWORD_LENGTH,
  hint: `At least ${MIN_PASSWORD_LENGTH} characters. Several unrelated words are easy to remember.`,
};

/** `/reset-password?token=`: chooses a password with a link. */
export function resetPasswordPage(services: PageServices): Page {
  return {
    path: '/reset-password',
    leadsElsewhere: true,
    show: ({ request, query }) => showForm(services, request, readLink(query)),
    async submit({ request, fields }) {
      const link = readLink(fields);
      const { token, returnId } = link;
      const newPassword = fields.get('new_password') ?? '';
      const browser = formSecret(services, request);
      // Another password is another submission, which must not seem to succeed.
      const value = `${token} ${newPassword}`;
      const submission = { action: 'password_reset', browser, value } as const;
      try {
        checkForm(services, request, fields);
        const session = await orEarlierResult(services, submission, () =>
          resetPassword(services, { token, newPassword, request, submission }),
        );
        const returnTo = recallReturnTo(services, request, returnId);
        const next = session.isComplete ? returnTo : withReturnTo(SECOND_FACTOR_PATH, returnTo);
        return goTo(next, [...session.cookies, ...forgetReturnTo(services, returnId)]);
      } catch (error) {
        return showForm(services, request, link, toFormRefusal(error));
      }
    },
  };
}

/** The parts of a link. */
interface ResetLink {
  token: string;
  /** See remembered-return-to.ts. */
  returnId: string;
}

function readLink(fields: URLSearchParams): ResetLink {
  return { token: fields.get('token') ?? '', returnId: fields.get('return') ?? '' };
}

function badLink(returnTo: string): PageReply {
  const again = withReturnTo('/forgot-password', returnTo);
  return {
    status: 400,
    content: {
      title: 'This link is no longer valid',
      lead: 'A password reset link is valid for one hour and works once.',
      body: html`<p class="aside"><a href="${again}">Request a new link</a></p>`,
    },
  };
}

/** What becomes of the person's other credentials, see resetPassword. */
function consequences({ emailVerifiedAtMs }: User): Html {
  if (emailVerifiedAtMs === undefined) {
    return html`<p class="hint">
      Because your email address is not verified yet, all other sign-in methods and API tokens will
      stop working.
    </p>`;
  }
  return html`<p class="hint">
    Your passkeys and API tokens keep working. If someone else may have access to them, delete them
    in your profile afterwards, or with <code>DELETE /user/passkeys/…</code> and
    <code>DELETE /user/tokens/…</code> of the <a href="/docs">API</a>.
  </p>`;
}

async function showForm(
  services: PageServices,
  request: PageRequest['request'],
  { token, returnId }: ResetLink,
  refusal?: FormRefusal,
): Promise<PageReply> {
  const { database, clock } = services;
  if (!services.hasPasswords) {
    return passwordsOffReply(services, recallReturnTo(services, request, returnId));
  }
  const person = await findResetPerson(database.read, token, clock.now());
  if (person === undefined) return badLink(recallReturnTo(services, request, returnId));
  const { token: formTokenValue, cookie } = formToken(services, request);
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers, 'set-cookie': [cookie] },
    content: {
      title: 'Choose a new password',
      lead: html`Set a new password for <strong>${person.email}</strong>. All other browsers will be
        signed out.`,
      error: refusal?.message,
      body: html`${renderForm({
        action: '/reset-password',
        hidden: { [FORM_TOKEN]: formTokenValue, token, return: returnId },
        username: person.email,
        hasError: refusal !== undefined,
        fields: [{ ...NEW_PASSWORD_FIELD, isFirst: true }],
        submit: 'Save password',
      })}
      ${consequences(person)}`,
    },
  };
}
