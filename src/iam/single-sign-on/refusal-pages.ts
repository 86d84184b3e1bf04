import type { IamServices } from '../iam-services.ts';
import { html } from '../pages/html.ts';
import type { PageReply } from '../pages/page.ts';
import { withReturnTo } from '../pages/return-to.ts';
import type { ProviderTrouble } from './provider-trouble.ts';

const RETRY_AFTER_SECONDS = 30;

function refusal(status: number, title: string, lead: string, returnTo = '/'): PageReply {
  const login = withReturnTo('/login', returnTo);
  return {
    status,
    content: {
      title,
      lead,
      body: html`<p class="aside"><a href="${login}">Back to sign-in</a></p>`,
    },
  };
}

/** For a callback that belongs to no sign-in of this browser. */
export function expiredReply(): PageReply {
  return refusal(
    400,
    'You are not signed in',
    'This sign-in took too long, was used already, or was begun in another browser. Begin again.',
  );
}

/** For a browser that did not come to look at a page. */
export function notAPageReply(): PageReply {
  return refusal(403, 'You are not signed in', 'A sign-in cannot begin inside of another page.');
}

/** For somebody who would have to leave a session before the second factor of another person. */
export function otherSessionReply(provider: string, email: string): PageReply {
  return {
    status: 403,
    content: {
      title: 'Somebody is signed in already',
      lead: html`You are signed in as <strong>${email}</strong>, and ${provider} knows you as
        somebody else, who has a second factor. Sign out and begin again.`,
      body: html`<a class="button" href="/logout">Sign out</a>`,
    },
  };
}

/** For a provider that was asked to authenticate the person now and does not state that it did. */
export function noNewProofReply(provider: string): PageReply {
  return refusal(
    403,
    'You are not signed in',
    `${provider} does not confirm that you have just signed in there. Sign out of ${provider} and try again. If that does not help, ask your administrator.`,
  );
}

/** For somebody whom the provider knows, and nobody here does. */
export function unknownPersonReply(provider: string, email: string | undefined): PageReply {
  return refusal(
    403,
    'Nobody has invited you',
    `With ${provider} you are ${email ?? 'somebody'}, and nobody has invited that address. Ask an administrator of your account.`,
  );
}

/** For somebody whose address anybody could have entered at the provider. */
export function unverifiedReply(provider: string): PageReply {
  return refusal(
    403,
    'Your e-mail address is not verified',
    `You can sign in once ${provider} has verified your e-mail address, and says so.`,
  );
}

/** For a provider that does not vouch for anybody now. What is its fault, or ours, goes to the log. */
export function providerTroubleReply(
  { report }: Pick<IamServices, 'report'>,
  provider: string,
  returnTo: string,
  trouble: ProviderTrouble,
): PageReply {
  if (trouble.kind === 'stale') return expiredReply();
  if (trouble.kind === 'refused') {
    const isDenied = trouble.reason === 'access_denied';
    const lead = isDenied
      ? `You have said no there, or ${provider} does not let you in.`
      : `${provider} did not sign you in: ${trouble.reason}.`;
    return refusal(403, 'You are not signed in', lead, returnTo);
  }
  report(trouble, 'an external sign-in failed');
  const title = 'Signing in does not work now';
  if (trouble.kind === 'unusable') {
    const lead = `${provider} gave an answer that cannot be used. An administrator finds the reason in the log.`;
    return refusal(502, title, lead, returnTo);
  }
  const reply = refusal(
    503,
    title,
    `${provider} cannot be reached. Try again in a while.`,
    returnTo,
  );
  return { ...reply, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
}
