import { html } from '../../iam/pages/html.ts';
import { type PageReply, goTo } from '../../iam/pages/page.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { ResponseMode } from './check-response-mode.ts';
import { redirectLocation } from './redirect-location.ts';

/** The parts of a request that decide where its response goes. */
export type ResponseTarget = Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>;

/** A response to a client (RFC 6749 sections 4.1.2 and 4.1.2.1). Plain JSON. */
export interface AuthorizationResponse {
  redirectUri: string;
  /** Undefined in requests that an earlier version stored: the query. */
  responseMode: ResponseMode | undefined;
  parameters: Record<string, string>;
}

/** Adds `state` and `iss` (RFC 9207) to the parameters of a response. */
export function toResponse(
  { issuer }: Pick<OAuthServices, 'issuer'>,
  { redirectUri, responseMode, state }: ResponseTarget,
  parameters: Record<string, string>,
): AuthorizationResponse {
  const all = { ...parameters, ...(state !== undefined && { state }), iss: issuer() };
  return { redirectUri, responseMode, parameters: all };
}

/** Sends the browser to the client, by a redirect or by a form that submits itself. */
export function sendResponse({
  redirectUri,
  responseMode,
  parameters,
}: AuthorizationResponse): PageReply {
  if (responseMode === 'form_post') return formPage(redirectUri, parameters);
  const reply = goTo(redirectLocation(redirectUri, parameters));
  return { ...reply, headers: { 'cache-control': 'no-store' } };
}

function formPage(redirectUri: string, parameters: Record<string, string>): PageReply {
  const { origin } = new URL(redirectUri);
  const policy = `default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action ${origin}`;
  return {
    headers: { 'cache-control': 'no-store', 'content-security-policy': policy },
    content: {
      title: 'Return to the application',
      scripts: ['submit.js'],
      body: html`<form method="post" action="${redirectUri}" data-submit>
        ${Object.entries(parameters).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
        )}<button type="submit">Continue</button>
      </form>`,
    },
  };
}
