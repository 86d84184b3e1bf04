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
      if (!services.mail.isConfigured) return noMail(wishes);
      return showForm(services, request, { email: wishes.loginHint, wishes });
    },
    async submit({ request, fields }) {
      const wishes = readWishes(fields);
      if (!services.mail.isConfigured) return noMail(wishes);
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

function noMail(wishes: SignInWishes): PageReply {
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
