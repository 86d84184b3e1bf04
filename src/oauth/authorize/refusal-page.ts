import { type Html, html } from '../../iam/pages/html.ts';
import type { PageReply } from '../../iam/pages/page.ts';
import { signInPath } from '../../iam/pages/sign-in-wishes.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { findUriTextFault } from '../clients/web-uri.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { ProtocolError } from '../protocol-error.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { resumePath } from './sealed-request.ts';

const TITLE = 'Invalid authorization request';
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
      lead: html`${who} sent an invalid request. No access was granted, and you can close this page.`,
      body: html`<p class="hint">For its developer: ${error.message}.${shown(redirectUri)}</p>`,
    },
  };
}

/** Only what looks like an address: others' prose must not stand in a page of ours. */
function shown(redirectUri: string | undefined): Html | undefined {
  if (redirectUri === undefined || findUriTextFault(redirectUri) !== undefined) return undefined;
  return html` Requested URI: <code>${redirectUri.slice(0, MAX_SHOWN_LENGTH)}</code>.`;
}

/** For a person who comes back too late, or with an address that was cut. */
export function tooLatePage(): PageReply {
  return {
    status: 400,
    content: {
      title: 'This request has expired',
      lead: 'Requests of applications are valid for one hour. Return to the application and start over.',
    },
  };
}

/** For a pushed request that cannot be used, or not again (RFC 9126 section 7.3). */
export function usedUpPage({ name }: Pick<RegisteredClient, 'name'>): PageReply {
  return {
    status: 400,
    content: {
      title: 'This request was already used or has expired',
      lead: html`Return to <strong>${name}</strong> and start over.`,
      body: html`<p class="hint">
        For its developer: request_uri must come from a pushed authorization request of the same
        client. It works once and expires soon.
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
      lead: html`Only members of the account that owns <strong>${name}</strong> can use it. You are
        signed in as <strong>${email}</strong>.`,
      body: html`<a class="button" href="${path}">Use another account</a>`,
    },
  };
}

/** For whoever only looks ahead, such as a browser that prefetches or a scanner of links. */
export function lookingAheadPage(status: number): PageReply {
  return {
    status,
    content: { title: 'An application requests access', lead: 'Open this page to continue.' },
  };
}
