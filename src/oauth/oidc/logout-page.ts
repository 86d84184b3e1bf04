import { renderForm } from '../../iam/pages/form.ts';
import { FORM_TOKEN, checkForm } from '../../iam/pages/form-token.ts';
import { type Html, html } from '../../iam/pages/html.ts';
import { type Page, type PageReply, goTo } from '../../iam/pages/page.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import { signOut } from '../../iam/sessions/delete-session.ts';
import { findPresentedSession } from '../../iam/sessions/presented-session.ts';
import { csrfTokenOf } from '../../iam/sessions/session-cookie.ts';
import type { RequestFacts } from '../../http/route.ts';
import { SealError, type Sealer } from '../../lib/sealing.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { mayRedirectTo } from '../tokens/access-tokens.ts';
import {
  type LogoutRequest,
  type LogoutTarget,
  addressOf,
  findTargetClient,
  readLogoutRequest,
  toQuery,
} from './logout-request.ts';

export const LOGOUT_PATH = '/oauth2/logout';

/** The field with what the person says yes to. */
const TARGET = 'target';

/**
 * `/oauth2/logout`: a client asks that a person is signed out here too (OpenID Connect RP-Initiated
 * Logout). Without an ID token of that person any page of the web could ask it, so the person decides.
 */
export function logoutPage(services: OAuthServices): Page {
  return {
    path: LOGOUT_PATH,
    leadsElsewhere: true,
    async show({ request, query }) {
      const session = await findPresentedSession(services.pages, request);
      const asked = await readLogoutRequest(services, query, request.ip);
      if (session === undefined) {
        return asked.fault === undefined ? leave(asked, undefined) : refuse(asked.fault);
      }
      if (asked.fault === undefined && asked.userId === session.principal.user.id) {
        return endSession(services, session.principal, request, asked);
      }
      return askPerson(services, session, asked);
    },
    async submit({ request, fields }) {
      // Browsers keep the session's cookie from what the page of a client sends: only a GET has it.
      if (!fields.has(FORM_TOKEN)) {
        const query = toQuery(fields);
        if (query === undefined) return refuse('its request is too long');
        return goTo(`${LOGOUT_PATH}?${query}`);
      }
      const session = await findPresentedSession(services.pages, request);
      if (session === undefined) return goTo(LOGOUT_PATH);
      const { principal, secret } = session;
      checkForm(services.pages, request, fields, secret);
      const target = openTarget(sealerOf(services), fields.get(TARGET), principal);
      const client = target && (await findTargetClient(services, target, request.ip));
      return endSession(services, principal, request, client && { target, client });
    },
  };
}

async function endSession(
  { pages }: OAuthServices,
  principal: SessionPrincipal,
  request: RequestFacts,
  destination: Destination | undefined,
): Promise<PageReply> {
  const { headers } = await signOut(pages, principal, request);
  return leave(destination, principal.user, headers?.['set-cookie']);
}

/** Where a client wants the person to go. */
type Destination = Pick<LogoutRequest, 'target' | 'client'>;

/**
 * Nobody is signed in any more: on to the client, or to a page that says so and links to the client.
 * @param user who was signed in
 */
function leave(
  { target, client }: Destination = { target: undefined, client: undefined },
  user: SessionPrincipal['user'] | undefined,
  cookies?: string[],
): PageReply {
  if (target !== undefined && client !== undefined && mayRedirectTo(client, user)) {
    return goTo(addressOf(target), cookies);
  }
  const content = {
    title: 'You are signed out',
    body: html`${target && linkTo(target)}
      <p class="aside"><a href="/login">Sign in again</a></p>`,
  };
  return { content, ...(cookies && { headers: { 'set-cookie': cookies } }) };
}

function linkTo(target: LogoutTarget): Html {
  const { protocol, host, pathname } = new URL(target.redirectUri);
  return html`<p>
    <a class="button quiet" rel="noreferrer" href="${addressOf(target)}"
      >Continue to ${host === '' ? protocol + pathname : host}</a
    >
  </p>`;
}

/** Nobody to ask, and nowhere to go. */
function refuse(fault: string): PageReply {
  return {
    status: 400,
    content: {
      title: 'Cannot return to the application',
      lead: 'For its developer:',
      error: describeFault(fault),
      body: html`<p class="aside"><a href="/login">Go to sign-in</a></p>`,
    },
  };
}

function askPerson(
  services: OAuthServices,
  { principal, secret }: { principal: SessionPrincipal; secret: string },
  { target, fault }: LogoutRequest,
): PageReply {
  const sealed = target && { [TARGET]: sealTarget(sealerOf(services), target, principal) };
  const form = renderForm({
    action: LOGOUT_PATH,
    hidden: { [FORM_TOKEN]: csrfTokenOf(secret), ...sealed },
    submit: 'Sign out',
  });
  return {
    ...(fault !== undefined && { status: 400 }),
    content: {
      title: 'Sign out?',
      lead: html`You are signed in as <strong>${principal.user.email}</strong>.`,
      error: fault && describeFault(fault),
      body: html`${form}
        <p class="aside"><a href="/">Stay signed in</a></p>`,
    },
  };
}

function describeFault(fault: string): string {
  return `The app that has sent you here has made a mistake: ${fault}.`;
}

function sealerOf({ masterKey }: OAuthServices): Sealer {
  return masterKey.sealer('oauth_logout');
}

/** It opens nowhere but in the session that it was made for. */
function sealTarget(sealer: Sealer, target: LogoutTarget, { session }: SessionPrincipal): string {
  return sealer.seal(JSON.stringify(target), session.id);
}

/** @returns undefined for what was changed: then the person stays here */
function openTarget(
  sealer: Sealer,
  sealed: string | null,
  { session }: SessionPrincipal,
): LogoutTarget | undefined {
  if (sealed === null) return undefined;
  try {
    return JSON.parse(sealer.open(sealed, session.id)) as LogoutTarget;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
