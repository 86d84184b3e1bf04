import type { IamServices } from '../iam-services.ts';
import { html } from '../pages/html.ts';
import type { PageReply } from '../pages/page.ts';
import { withReturnTo } from '../pages/return-to.ts';
import type { ExternalPerson } from './openid-provider.ts';
import type { ProviderTrouble } from './provider-trouble.ts';

const RETRY_AFTER_SECONDS = 30;

/** The message of log lines about a refusal that an administrator may have to change. */
const REFUSED = 'an external sign-in was refused';
const TRUST_SETTING = 'LATCHKEY_OIDC_TRUST_EMAIL';

type Reporting = Pick<IamServices, 'report'>;

function refusal(status: number, title: string, lead: string, returnTo = '/'): PageReply {
  const login = withReturnTo('/login', returnTo);
  return {
    status,
    content: {
      title,
      lead,
      body: html`<p class="aside"><a href="${login}">Back to sign in</a></p>`,
    },
  };
}

/** For a callback that belongs to no sign-in of this browser. */
export function expiredReply(): PageReply {
  return refusal(
    400,
    'Sign-in failed',
    'This sign-in has expired, was already used or was started in another browser. Sign in again.',
  );
}

/** For a browser that did not come to look at a page. */
export function notAPageReply(): PageReply {
  return refusal(
    403,
    'Sign-in failed',
    'You cannot sign in inside another page. Open this page in its own tab.',
  );
}

/** For somebody who would have to leave a session before the second factor of another person. */
export function otherSessionReply(provider: string, email: string): PageReply {
  return {
    status: 403,
    content: {
      title: 'You are already signed in',
      lead: html`You are signed in as <strong>${email}</strong>, but your account at ${provider}
        belongs to another user with a second factor. Sign out and sign in again.`,
      body: html`<a class="button" href="/logout">Sign out</a>`,
    },
  };
}

/** For a provider that was asked to authenticate the person now and does not state that it did. */
export function noNewProofReply(provider: string): PageReply {
  return refusal(
    403,
    'Sign-in failed',
    `${provider} did not confirm a new sign-in. Sign out of ${provider} and try again. If the problem persists, contact your administrator.`,
  );
}

/** For a user of the provider who has no invitation here. */
export function unknownPersonReply(
  { report }: Reporting,
  provider: string,
  { issuer, email }: ExternalPerson,
): PageReply {
  const reason = 'no user has the email address, or an operator has locked the user';
  report(new Error(`${issuer}: ${reason}`), REFUSED);
  return refusal(
    403,
    'You have no invitation',
    `Your address at ${provider} (${email ?? 'unknown'}) has no invitation. Ask an administrator of your account to invite you.`,
  );
}

/** For a user whose address anyone could have entered at the provider. */
export function unverifiedReply(
  { report }: Reporting,
  provider: string,
  { issuer, email, emailFault = '', isTrustMissing }: ExternalPerson,
): PageReply {
  const advice = `. ${TRUST_SETTING}=true accepts its addresses`;
  report(new Error(`${issuer}: ${emailFault}${isTrustMissing ? advice : ''}`), REFUSED);
  const hint = ` An administrator of this server can accept the addresses of ${provider} with ${TRUST_SETTING}.`;
  const shownHint = isTrustMissing ? hint : '';
  if (email === undefined) {
    const lead = `${provider} did not send your email address.${shownHint}`;
    return refusal(403, 'Your email address is missing', lead);
  }
  const lead = isTrustMissing
    ? `${provider} does not state that your email address is verified.`
    : `Verify your email address at ${provider}, then sign in again.`;
  return refusal(403, 'Your email address is not verified', lead + shownHint);
}

/** For a provider that does not vouch for anybody now. What is its fault, or ours, goes to the log. */
export function providerTroubleReply(
  { report }: Reporting,
  provider: string,
  returnTo: string,
  trouble: ProviderTrouble,
): PageReply {
  if (trouble.kind === 'stale') return expiredReply();
  if (trouble.kind === 'refused') {
    const isDenied = trouble.reason === 'access_denied';
    const lead = isDenied
      ? `You canceled the sign-in, or ${provider} denied access.`
      : `${provider} did not sign you in: ${trouble.reason}.`;
    if (!isDenied) report(trouble, REFUSED);
    return refusal(403, 'Sign-in failed', lead, returnTo);
  }
  report(trouble, 'an external sign-in failed');
  const title = 'Sign-in is not available';
  if (trouble.kind === 'unusable') {
    const lead = `${provider} sent an invalid response. The server log contains the reason.`;
    return refusal(502, title, lead, returnTo);
  }
  const reply = refusal(503, title, `${provider} is not reachable. Try again later.`, returnTo);
  return { ...reply, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
}
