import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { iamErrors } from '../iam-errors.ts';
import { type Invitation, acceptInvitation, findInvitation } from '../members/accept-invitation.ts';
import { MAX_PERSONAL_NAME_LENGTH, NAME_PATTERN } from '../names.ts';
import { acceptWithPassword } from '../passwords/accept-with-password.ts';
import { findPresentedSession } from '../sessions/presented-session.ts';
import { csrfTokenOf } from '../sessions/session-cookie.ts';
import { keepResult } from '../short-lived-state.ts';
import { renderForm } from './form.ts';
import { FORM_TOKEN, checkForm, formSecret, formToken } from './form-token.ts';
import { type Html, html } from './html.ts';
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
import { NEW_PASSWORD_FIELD } from './reset-password-page.ts';
import { safeReturnTo, withReturnTo } from './return-to.ts';
import { withWishes } from './sign-in-wishes.ts';

const PATH = '/invitation';

type PresentedSession = Awaited<ReturnType<typeof findPresentedSession>>;

/** `/invitation?token=`: joins an account, as a new person or as one who signs in. */
export function invitationPage(services: PageServices): Page {
  return {
    path: PATH,
    leadsElsewhere: true,
    async show({ request, query }) {
      const secret = query.get('token') ?? '';
      const returnTo = safeReturnTo(query.get('return_to'));
      const session = await findPresentedSession(services, request);
      return showInvitation(services, request, { secret, returnTo, session });
    },
    async submit({ request, fields }) {
      const returnTo = safeReturnTo(fields.get('return_to'));
      const secret = fields.get('token') ?? '';
      const session = await findPresentedSession(services, request);
      const names = {
        firstName: fields.get('first_name') ?? '',
        lastName: fields.get('last_name') ?? '',
      };
      try {
        // The form for new people belongs to nobody, also when somebody is signed in.
        const isNew = fields.has('new_password');
        checkForm(services, request, fields, isNew ? undefined : (session?.secret ?? ''));
        if (!isNew) {
          await join(services, request, secret, session);
          return goTo(returnTo);
        }
        const browser = formSecret(services, request);
        const firstName = readName(names.firstName);
        const lastName = readName(names.lastName);
        const password = fields.get('new_password') ?? '';
        // Another password is another submission, which must not seem to succeed.
        const value = `${secret} ${password}`;
        const submission = { action: 'invitation', browser, value } as const;
        const begun = await orEarlierResult(services, submission, () =>
          acceptWithPassword(services, {
            secret,
            firstName,
            lastName,
            password,
            request,
            submission,
          }),
        );
        return goTo(returnTo, begun.cookies);
      } catch (error) {
        const refusal = toFormRefusal(error);
        return showInvitation(services, request, { secret, returnTo, session, names, refusal });
      }
    },
  };
}

const NAME = new RegExp(NAME_PATTERN, 'u');

/** @throws ApiError 3001 */
function readName(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return undefined;
  if (name.length > MAX_PERSONAL_NAME_LENGTH || !NAME.test(name)) {
    throw apiError(iamErrors.invalidField, {
      message: `A name can have at most ${MAX_PERSONAL_NAME_LENGTH} characters and no line breaks`,
    });
  }
  return name;
}

/** Joins as the very person who is signed in. */
async function join(
  services: PageServices,
  request: RequestFacts,
  secret: string,
  session: PresentedSession,
): Promise<void> {
  const { changes, clock } = services;
  if (session === undefined) throw apiError(iamErrors.invitationExpired);
  const { principal } = session;
  const { id: userId } = principal.user;
  const submission = { action: 'invitation', browser: session.secret, value: secret } as const;
  await orEarlierResult(services, submission, () =>
    changes.make({ principal, request }, async (tools) => {
      const invitation = await acceptInvitation(tools, secret, clock.now());
      if (invitation?.userId !== userId) throw apiError(iamErrors.invitationExpired);
      await keepResult(tools.tx, submission, userId, { result: null }, clock.now());
      return { result: null };
    }),
  );
}

interface Shown {
  secret: string;
  returnTo: string;
  session: PresentedSession;
  names?: { firstName: string; lastName: string };
  refusal?: FormRefusal;
}

const BAD_LINK: PageReply = {
  status: 400,
  content: {
    title: 'This invitation is no longer valid',
    lead: 'It was accepted, withdrawn or replaced, or it has expired after 7 days. Ask the person who invited you for a new one.',
    body: html`<p class="aside"><a href="/login">Sign in</a></p>`,
  },
};

async function showInvitation(
  services: PageServices,
  request: RequestFacts,
  shown: Shown,
): Promise<PageReply> {
  const { database, clock } = services;
  const invitation = await findInvitation(database.read, shown.secret, clock.now());
  if (invitation === undefined) return BAD_LINK;
  if (!invitation.userHasCredential) return newPersonForm(services, request, invitation, shown);
  if (shown.session === undefined) return signInFirst(invitation, shown);
  return shown.session.principal.user.id === invitation.userId
    ? joinForm(invitation, shown, shown.session.secret)
    : otherPerson(invitation, shown.session.principal.user.email);
}

function titleOf({ accountName }: Invitation): string {
  return `Join ${accountName}`;
}

function newPersonForm(
  services: PageServices,
  request: PageRequest['request'],
  invitation: Invitation,
  { secret, returnTo, session, names, refusal }: Shown,
): PageReply {
  const external = externalButton(services, invitation, { secret, returnTo });
  if (!services.hasPasswords) {
    const lead = html`You are invited as <strong>${invitation.email}</strong>. Sign in to
      accept.${noteOtherSession(invitation, session)}`;
    return { content: { title: titleOf(invitation), lead, body: external } };
  }
  const { token, cookie } = formToken(services, request);
  const nameField = (name: string, label: string, autocomplete: string, value = '') =>
    ({
      name,
      label: `${label} (optional)`,
      type: 'text',
      autocomplete,
      value,
      isOptional: true,
    }) as const;
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers, 'set-cookie': [cookie] },
    content: {
      title: titleOf(invitation),
      lead: html`You are invited as <strong>${invitation.email}</strong>.
        ${
          external === undefined
            ? 'Choose a password to sign in with.'
            : `Sign in with ${services.externalSignIn?.name}, or choose a password.`
        }${noteOtherSession(invitation, session)}`,
      error: refusal?.message,
      body: html`${external}${renderForm({
        action: PATH,
        hidden: { [FORM_TOKEN]: token, token: secret, return_to: returnTo },
        username: invitation.email,
        hasError: refusal !== undefined,
        fields: [
          {
            ...nameField('first_name', 'First name', 'given-name', names?.firstName),
            isFirst: true,
          },
          nameField('last_name', 'Last name', 'family-name', names?.lastName),
          { ...NEW_PASSWORD_FIELD, label: 'Password' },
        ],
        submit: 'Join',
      })}`,
    },
  };
}

/** Leads to the provider and back to the invitation, which the user then accepts. */
function externalButton(
  { externalSignIn }: PageServices,
  { email }: Invitation,
  { secret, returnTo }: Pick<Shown, 'secret' | 'returnTo'>,
): Html | undefined {
  if (externalSignIn === undefined) return undefined;
  const here = withReturnTo(`${PATH}?token=${encodeURIComponent(secret)}`, returnTo);
  const wishes = { returnTo: here, prompt: undefined, loginHint: email };
  return html`<p>
    <a class="button" href="${withWishes(externalSignIn.path, wishes)}"
      >Sign in with ${externalSignIn.name}</a
    >
  </p>`;
}

function noteOtherSession({ userId }: Invitation, session: PresentedSession): Html | undefined {
  const user = session?.principal.user;
  if (user === undefined || user.id === userId) return undefined;
  return html` You will be signed out of <strong>${user.email}</strong>.`;
}

function signInFirst(invitation: Invitation, { secret, returnTo }: Shown): PageReply {
  const here = withReturnTo(`${PATH}?token=${encodeURIComponent(secret)}`, returnTo);
  return {
    content: {
      title: titleOf(invitation),
      lead: html`You are invited as <strong>${invitation.email}</strong>. Sign in to accept.`,
      body: html`<a class="button" href="${withReturnTo('/login', here)}">Sign in</a>`,
    },
  };
}

function joinForm(
  invitation: Invitation,
  { secret, returnTo, refusal }: Shown,
  sessionSecret: string,
): PageReply {
  return {
    status: refusal?.status ?? 200,
    headers: { ...refusal?.headers },
    content: {
      title: titleOf(invitation),
      lead: html`You are signed in as <strong>${invitation.email}</strong>.`,
      error: refusal?.message,
      body: renderForm({
        action: PATH,
        hidden: { [FORM_TOKEN]: csrfTokenOf(sessionSecret), token: secret, return_to: returnTo },
        submit: 'Accept invitation',
      }),
    },
  };
}

function otherPerson(invitation: Invitation, email: string): PageReply {
  return {
    status: 403,
    content: {
      title: titleOf(invitation),
      lead: html`This invitation is for <strong>${invitation.email}</strong>, but you are signed in
        as <strong>${email}</strong>. Sign out, then open the link again.`,
      body: html`<a class="button" href="/logout">Sign out</a>`,
    },
  };
}
