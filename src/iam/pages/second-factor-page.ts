import { iamErrors } from '../iam-errors.ts';
import { verifySecondFactor } from '../second-factor/verify-second-factor.ts';
import { csrfTokenOf, readCookie } from '../sessions/session-cookie.ts';
import { findPendingSession } from '../sessions/session-store.ts';
import { type SecondFactor, listSecondFactors } from '../users/second-factor-column.ts';
import { renderForm } from './form.ts';
import { FORM_TOKEN, checkForm } from './form-token.ts';
import { html } from './html.ts';
import { SECOND_FACTOR_PATH, beginAgainPath } from './login-page.ts';
import {
  type FormRefusal,
  type Page,
  type PageReply,
  type PageRequest,
  type PageServices,
  goTo,
  toFormRefusal,
} from './page.ts';
import { orEarlierResult } from './repeated-submission.ts';
import {
  type SignInWishes,
  readWishes,
  signInPath,
  wishFields,
  withWishes,
} from './sign-in-wishes.ts';

/** `/login/second-factor`: what a person with two factors shows after the first. */
export function secondFactorPage(services: PageServices): Page {
  return {
    path: SECOND_FACTOR_PATH,
    leadsElsewhere: true,
    async show({ request, query }) {
      const isRecovery = query.has('recovery');
      return showForm(services, request, { wishes: readWishes(query), isRecovery });
    },
    async submit({ request, fields }) {
      const wishes = readWishes(fields);
      const isRecovery = fields.has('recovery_code');
      try {
        const secret = pendingSecret(services, request);
        checkForm(services, request, fields, secret);
        const typed = fields.get(isRecovery ? 'recovery_code' : 'code') ?? '';
        const code = isRecovery ? { recovery: typed } : { totp: typed };
        const submission = { action: 'second_factor', browser: secret, value: typed } as const;
        const { cookies } = await orEarlierResult(services, submission, () =>
          verifySecondFactor(services, { secret, code, request, submission }),
        );
        return goTo(wishes.returnTo, cookies);
      } catch (error) {
        const refusal = toFormRefusal(error);
        return showForm(services, request, { wishes, isRecovery, refusal });
      }
    },
  };
}

function pendingSecret({ cookies }: PageServices, { headers }: PageRequest['request']): string {
  return readCookie(headers.cookie, cookies.session) ?? '';
}

interface Shown {
  wishes: SignInWishes;
  isRecovery: boolean;
  refusal?: FormRefusal;
}

async function showForm(
  services: PageServices,
  request: PageRequest['request'],
  { wishes, isRecovery, refusal }: Shown,
): Promise<PageReply> {
  const { database, clock } = services;
  const secret = pendingSecret(services, request);
  const pending = await findPendingSession(database.read, secret, clock.now());
  if (pending === undefined) return goTo(startPath(secret, wishes, refusal));
  const factors = await listSecondFactors(database.read, pending.userId);
  const hidden = { [FORM_TOKEN]: csrfTokenOf(secret), ...wishFields(wishes) };
  const hasError = refusal !== undefined;
  const asksForCode = factors.includes('totp') || (isRecovery && factors.includes('recovery_code'));
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers },
    content: {
      title: 'Two-factor authentication',
      lead: leadOf(asksForCode, isRecovery),
      error: refusal?.message,
      scripts: factors.includes('passkey') ? ['passkey.js'] : [],
      body: html`${asksForCode && codeForm(hidden, isRecovery, hasError)}
      ${alternatives(factors, wishes, isRecovery)}`,
    },
  };
}

/** Where to go when there is nothing to complete: it is over, used up, completed or was never begun. */
function startPath(secret: string, asked: SignInWishes, refusal: FormRefusal | undefined): string {
  // The first step has ended the session from before: whoever is signed in now has proved it anew.
  const wishes = { ...asked, prompt: undefined };
  if (refusal?.code === iamErrors.wrongSecondFactor.code) {
    return beginAgainPath('wrong-codes', wishes);
  }
  // A form was sent, or the browser has kept the cookie. Who has completed it is sent on from there.
  const wasBegun = refusal !== undefined || secret !== '';
  return wasBegun ? beginAgainPath('expired', wishes) : signInPath(wishes);
}

function leadOf(asksForCode: boolean, isRecovery: boolean): string {
  if (!asksForCode) return 'Use your passkey to complete the sign-in.';
  return isRecovery
    ? 'Enter one of your recovery codes. Each code works once.'
    : 'Enter the current code from your authenticator app.';
}

function codeForm(hidden: Record<string, string>, isRecovery: boolean, hasError: boolean) {
  return renderForm({
    action: SECOND_FACTOR_PATH,
    hidden,
    hasError,
    fields: [
      isRecovery
        ? {
            name: 'recovery_code',
            label: 'Recovery code',
            type: 'text',
            autocomplete: 'off',
            isFirst: true,
          }
        : {
            name: 'code',
            label: 'Six-digit code',
            type: 'text',
            inputMode: 'numeric',
            autocomplete: 'one-time-code',
            isFirst: true,
          },
    ],
    submit: 'Continue',
  });
}

function alternatives(factors: readonly SecondFactor[], wishes: SignInWishes, isRecovery: boolean) {
  const here = withWishes(SECOND_FACTOR_PATH, wishes);
  const passkey =
    factors.includes('passkey') &&
    html`<button
        type="button"
        class="quiet"
        data-passkey-sign-in
        data-return-to="${wishes.returnTo}"
        hidden
      >
        Use a passkey
      </button>
      <p class="error" role="alert" data-passkey-error hidden></p>
      <noscript
        ><p class="hint">Passkeys require JavaScript. Enable it in your browser.</p></noscript
      > `;
  const other = isRecovery
    ? factors.includes('totp') &&
      html`<p class="aside"><a href="${here}">Use your authenticator app instead</a></p> `
    : factors.includes('recovery_code') &&
      html`<p class="aside">
        <a href="${here}${here.includes('?') ? '&' : '?'}recovery=1">Use a recovery code instead</a>
      </p> `;
  return html`<div class="others">
    ${passkey}${other}
    <p class="aside">
      <a href="${signInPath({ ...wishes, loginHint: '' })}">Sign in with another account</a>
    </p>
  </div>`;
}
