import { requestPasswordReset } from '../passwords/request-reset.ts';
import { renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formToken } from './form-token.ts';
import { type Html, html } from './html.ts';
import {
  type FormRefusal,
  type Page,
  type PageReply,
  type PageRequest,
  type PageServices,
  toFormRefusal,
} from './page.ts';
import { passwordsOffReply } from './passwords-off.ts';
import { rememberReturnTo } from './remembered-return-to.ts';
import { type SignInWishes, readWishes, signInPath, wishFields } from './sign-in-wishes.ts';

function backTo(wishes: SignInWishes): Html {
  return html`<p class="aside"><a href="${signInPath(wishes)}">Back to sign in</a></p>`;
}

/** `/forgot-password`: asks for a link by mail. */
export function forgotPasswordPage(services: PageServices): Page {
  return {
    path: '/forgot-password',
    async show({ request, query }) {
      const wishes = readWishes(query);
      const refusal = refuse(services, wishes);
      if (refusal !== undefined) return refusal;
      return showForm(services, request, { email: wishes.loginHint, wishes });
    },
    async submit({ request, fields }) {
      const wishes = readWishes(fields);
      const refusal = refuse(services, wishes);
      if (refusal !== undefined) return refusal;
      const email = (fields.get('email') ?? '').trim();
      const remembered = rememberReturnTo(services, request, wishes.returnTo);
      try {
        checkForm(services, request, fields);
        await requestPasswordReset(services, email, request, remembered.id);
      } catch (error) {
        return showForm(services, request, { email, wishes, refusal: toFormRefusal(error) });
      }
      return {
        headers: { 'set-cookie': remembered.cookies },
        content: {
          title: 'Check your email',
          lead: html`If <strong>${email}</strong> has an account, you will receive an email with a
            link to reset your password. The link is valid for one hour and works once.`,
          body: backTo(wishes),
        },
      };
    },
  };
}

/** Returns the page of a server that sends no links. */
function refuse(services: PageServices, wishes: SignInWishes): PageReply | undefined {
  if (!services.hasPasswords) return passwordsOffReply(services, wishes.returnTo);
  if (services.mail.isConfigured) return undefined;
  return {
    content: {
      title: 'Contact your administrator',
      lead: 'This server does not send email. Its operator can create a password reset link for you.',
      body: backTo(wishes),
    },
  };
}

interface Filled {
  email: string;
  wishes: SignInWishes;
  refusal?: FormRefusal;
}

function showForm(
  services: PageServices,
  request: PageRequest['request'],
  { email, wishes, refusal }: Filled,
): PageReply {
  const { token, cookie } = formToken(services, request);
  const form = renderForm({
    action: '/forgot-password',
    hidden: { [FORM_TOKEN]: token, ...wishFields(wishes) },
    hasError: refusal !== undefined,
    fields: [
      {
        name: 'email',
        label: 'Email address',
        type: 'email',
        autocomplete: 'username',
        value: email,
        isFirst: true,
      },
    ],
    submit: 'Send reset link',
  });
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers, 'set-cookie': [cookie] },
    content: {
      title: 'Forgot your password?',
      lead: 'Enter your email address to receive a link to reset your password.',
      error: refusal?.message,
      body: html`${form} ${backTo(wishes)}`,
    },
  };
}
