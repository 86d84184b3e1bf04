import { findPresentedSession } from '../sessions/presented-session.ts';
import { signInWithPassword } from '../sessions/sign-in.ts';
import { renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formToken } from './form-token.ts';
import { html } from './html.ts';
import { displayName } from './layout.ts';
import {
  type FormRefusal,
  type Page,
  type PageReply,
  type PageRequest,
  type PageServices,
  goTo,
  toFormRefusal,
} from './page.ts';
import { type SignInWishes, readWishes, wishFields, withWishes } from './sign-in-wishes.ts';

/** Why a sign-in that had begun starts again. */
export type EndedSignIn = 'expired' | 'wrong-codes';

const ENDED: Readonly<Record<EndedSignIn, string>> = {
  expired: 'Your sign-in has expired. Sign in again.',
  'wrong-codes': 'Too many wrong codes. Sign in again.',
};

const LEADS = {
  none: (product: string) => `Continue to ${product}.`,
  login: () => 'Confirm your identity to continue, or sign in with another account.',
  select_account: () => 'Sign in with another account.',
};

/** Where a sign-in starts again, and is told why. */
export function beginAgainPath(reason: EndedSignIn, wishes: SignInWishes): string {
  return withWishes(`/login?ended=${reason}`, wishes);
}

/** `/login`: email address and password, or one of the other ways to sign in. */
export function loginPage(services: PageServices): Page {
  return {
    path: '/login',
    leadsElsewhere: true,
    async show({ request, query }) {
      const wishes = readWishes(query);
      const session = await findPresentedSession(services, request);
      if (session !== undefined && wishes.prompt === undefined) return goTo(wishes.returnTo);
      const ended = query.get('ended');
      return showForm(services, request, { wishes, email: wishes.loginHint, ended });
    },
    async submit({ request, fields }) {
      const wishes = readWishes(fields);
      const email = (fields.get('email') ?? '').trim();
      try {
        checkForm(services, request, fields);
        const password = fields.get('password') ?? '';
        const session = await signInWithPassword(services, { email, password, request });
        const next = session.isComplete ? wishes.returnTo : withWishes(SECOND_FACTOR_PATH, wishes);
        return goTo(next, session.cookies);
      } catch (error) {
        return showForm(services, request, { wishes, email, refusal: toFormRefusal(error) });
      }
    },
  };
}

export const SECOND_FACTOR_PATH = '/login/second-factor';

interface Filled {
  wishes: SignInWishes;
  email: string;
  /** A {@link EndedSignIn}, or whatever else somebody has put there. */
  ended?: string | null;
  refusal?: FormRefusal;
}

function showForm(
  services: PageServices,
  request: PageRequest['request'],
  { wishes, email, ended, refusal }: Filled,
): PageReply {
  const { token, cookie } = formToken(services, request);
  const error = refusal?.message ?? new Map(Object.entries(ENDED)).get(ended ?? '');
  const form = renderForm({
    action: '/login',
    hidden: { [FORM_TOKEN]: token, ...wishFields(wishes) },
    hasError: error !== undefined,
    fields: [
      {
        name: 'email',
        label: 'Email address',
        type: 'email',
        autocomplete: 'username webauthn',
        value: email,
        isFirst: email === '',
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        isFirst: email !== '',
      },
    ],
    submit: 'Sign in',
  });
  const forgotPath = withWishes('/forgot-password', wishes);
  const withPassword = html`${form}
    <p class="aside"><a href="${forgotPath}">Forgot your password?</a></p>`;
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers, 'set-cookie': [cookie] },
    content: {
      title: 'Sign in',
      lead: LEADS[wishes.prompt ?? 'none'](displayName(services.brand)),
      error,
      scripts: ['passkey.js'],
      body: html`${services.hasPasswords && withPassword} ${otherWays(services, wishes)}`,
    },
  };
}

/** The button appears when its script finds that the browser has passkeys. */
function otherWays({ externalSignIn }: PageServices, wishes: SignInWishes) {
  const external =
    externalSignIn &&
    html`<a class="button quiet" href="${withWishes(externalSignIn.path, wishes)}"
      >Sign in with ${externalSignIn.name}</a
    > `;
  return html`<div class="others">
    ${external}<button
      type="button"
      class="quiet"
      data-passkey-sign-in
      data-return-to="${wishes.returnTo}"
      hidden
    >
      Sign in with a passkey
    </button>
    <p class="error" role="alert" data-passkey-error hidden></p>
  </div>`;
}
