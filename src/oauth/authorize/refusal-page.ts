import { type Html, html } from '../../iam/pages/html.ts';
import type { PageReply } from '../../iam/pages/page.ts';
import { signInPath } from '../../iam/pages/sign-in-wishes.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { findUriTextFault } from '../clients/web-uri.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { ProtocolError } from '../protocol-error.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { resumePath } from './sealed-request.ts';

const TITLE = 'This application cannot go on';
const MAX_SHOWN_LENGTH = 200;

/**
 * Tells a person what must not be told by a redirect, and the developer what to mend.
 * @param client once it is known
 * @param redirectUri what the request has named, if that is what is wrong
 */
export function unanswerablePage(
  error: ProtocolError,
  client?: Pick<RegisteredClient, 'name'>,
  redirectUri?: string,
): PageReply {
  const who = client === undefined ? html`An application` : html`<strong>${client.name}</strong>`;
  return {
    status: 400,
    content: {
      title: TITLE,
      lead: html`${who} has sent you here with a request that cannot be answered. You can close this
      page; nothing was given to anybody.`,
      body: html`<p class="hint">For its developer: ${error.message}.${shown(redirectUri)}</p>`,
    },
  };
}

/** Only what looks like an address: others' prose must not stand in a page of ours. */
function shown(redirectUri: string | undefined): Html | undefined {
  if (redirectUri === undefined || findUriTextFault(redirectUri) !== undefined) return undefined;
  return html` The request has named <code>${redirectUri.slice(0, MAX_SHOWN_LENGTH)}</code>.`;
}

/** For a person who comes back too late, or with an address that was cut. */
export function tooLatePage(): PageReply {
  return {
    status: 400,
    content: {
      title: 'This took too long',
      lead: 'What an application has asked you waits for an hour. Go back to the application and begin again.',
    },
  };
}

/** For a pushed request that cannot be used, or not again (RFC 9126 section 7.3). */
export function usedUpPage({ name }: Pick<RegisteredClient, 'name'>): PageReply {
  return {
    status: 400,
    content: {
      title: 'This was used already, or took too long',
      lead: html`Go back to <strong>${name}</strong> and begin again.`,
      body: html`<p class="hint">
        For its developer: request_uri must be one that this very client has pushed, works once, and
        soon expires.
      </p>`,
    },
  };
}

/** For a person who is no member of the account that a private client belongs to. */
export function strangerPage(
  services: Pick<OAuthServices, 'masterKey'>,
  request: AuthorizationRequest,
  { name }: Pick<RegisteredClient, 'name'>,
  email: string,
): PageReply {
  const path = signInPath({ returnTo: resumePath(services, request), prompt: 'select_account' });
  return {
    status: 403,
    content: {
      title: 'This application is private',
      lead: html`<strong>${name}</strong> is only for members of the account that it belongs to, and
        you are signed in as <strong>${email}</strong>.`,
      body: html`<a class="button" href="${path}">Use another account</a>`,
    },
  };
}

/** For whoever only looks ahead, such as a browser that prefetches or a scanner of links. */
export function lookingAheadPage(status: number): PageReply {
  return {
    status,
    content: { title: 'An application asks you', lead: 'Open this page to go on.' },
  };
}
