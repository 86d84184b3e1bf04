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
import { safeReturnTo, withReturnTo } from './return-to.ts';

function backTo(returnTo: string): Html {
  const path = withReturnTo('/login', returnTo);
  return html`<p class="aside"><a href="${path}">Back to sign-in</a></p>`;
}

/** `/forgot-password`: asks for a link by mail. */
export function forgotPasswordPage(services: PageServices): Page {
  return {
    path: '/forgot-password',
    async show({ request, query }) {
      const returnTo = safeReturnTo(query.get('return_to'));
      if (!services.mail.isConfigured) return noMail(returnTo);
      return showForm(services, request, { email: '', returnTo });
    },
    async submit({ request, fields }) {
      const returnTo = safeReturnTo(fields.get('return_to'));
      if (!services.mail.isConfigured) return noMail(returnTo);
      const email = (fields.get('email') ?? '').trim();
      try {
        checkForm(services, request, fields);
        await requestPasswordReset(services, email, request);
      } catch (error) {
        return showForm(services, request, { email, returnTo, refusal: toFormRefusal(error) });
      }
      return {
        headers: { 'set-cookie': [rememberReturnTo(services, returnTo)] },
        content: {
          title: 'Look into your mail',
          lead: html`If there is an account for <strong>${email}</strong>, a link to choose a new
            password is on its way. It works once, for an hour.`,
          body: backTo(returnTo),
        },
      };
    },
  };
}

function noMail(returnTo: string): PageReply {
  return {
    content: {
      title: 'Ask your administrator',
      lead: 'This installation sends no mail. Whoever runs it can make you a link to choose a new password.',
      body: backTo(returnTo),
    },
  };
}

interface Filled {
  email: string;
  returnTo: string;
  refusal?: FormRefusal;
}

function showForm(
  services: PageServices,
  request: PageRequest['request'],
  { email, returnTo, refusal }: Filled,
): PageReply {
  const { token, cookie } = formToken(services, request);
  const form = renderForm({
    action: '/forgot-password',
    hidden: { [FORM_TOKEN]: token, return_to: returnTo },
    hasError: refusal !== undefined,
    fields: [
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        value: email,
        isFirst: true,
      },
    ],
    submit: 'Send a link',
  });
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers, 'set-cookie': [cookie] },
    content: {
      title: 'Forgot your password?',
      lead: 'Enter your e-mail address. We send you a link to choose a new one.',
      error: refusal?.message,
      body: html`${form} ${backTo(returnTo)}`,
    },
  };
}
