import { requestPasswordReset } from '../passwords/request-reset.ts';
import { renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formToken } from './form-token.ts';
import { html } from './html.ts';
import {
  type FormRefusal,
  type Page,
  type PageReply,
  type PageRequest,
  type PageServices,
  toFormRefusal,
} from './page.ts';

const BACK = html`<p class="aside"><a href="/login">Back to sign-in</a></p>`;

/** `/forgot-password`: asks for a link by mail. */
export function forgotPasswordPage(services: PageServices): Page {
  return {
    path: '/forgot-password',
    async show({ request }) {
      return services.mail.isConfigured ? showForm(services, request, '') : NO_MAIL;
    },
    async submit({ request, fields }) {
      if (!services.mail.isConfigured) return NO_MAIL;
      const email = (fields.get('email') ?? '').trim();
      try {
        checkForm(services, request, fields);
        await requestPasswordReset(services, email, request);
      } catch (error) {
        return showForm(services, request, email, toFormRefusal(error));
      }
      return {
        content: {
          title: 'Look into your mail',
          lead: html`If there is an account for <strong>${email}</strong>, a link to choose a new
            password is on its way. It works once, for an hour.`,
          body: BACK,
        },
      };
    },
  };
}

const NO_MAIL: PageReply = {
  content: {
    title: 'Ask your administrator',
    lead: 'This installation sends no mail. Whoever runs it can make you a link to choose a new password.',
    body: BACK,
  },
};

function showForm(
  services: PageServices,
  request: PageRequest['request'],
  email: string,
  refusal?: FormRefusal,
): PageReply {
  const { token, cookie } = formToken(services, request);
  const form = renderForm({
    action: '/forgot-password',
    hidden: { [FORM_TOKEN]: token },
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
      body: html`${form} ${BACK}`,
    },
  };
}
