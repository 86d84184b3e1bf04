import { type Page, type PageReply, type PageRequest, goTo } from '../../iam/pages/page.ts';
import { findPresentedSession } from '../../iam/sessions/presented-session.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { Parameters } from '../parameters.ts';
import { addressRequest } from './addressed-request.ts';
import { reportError, tellTrouble } from './answer.ts';
import { type Underway, goOn } from './go-on.ts';
import { replyToLookingAhead } from './looking-ahead.ts';
import { resumePath } from './sealed-request.ts';

/** `/oauth2/auth`: where clients send people (RFC 6749 section 3.1). */
export function authorizationPage(services: OAuthServices): Page {
  return {
    path: '/oauth2/auth',
    leadsElsewhere: true,
    async show({ request: facts, query }) {
      const ahead = replyToLookingAhead(facts);
      if (ahead !== undefined) return ahead;
      return begin(services, facts, query, (underway) => goOn(services, underway));
    },
    // Another site's form brings no cookies along, but the GET that follows does.
    submit: ({ request: facts, fields }) =>
      begin(services, facts, fields, async ({ request }) => goTo(resumePath(services, request))),
  };
}

async function begin(
  services: OAuthServices,
  facts: PageRequest['request'],
  sent: URLSearchParams,
  then: (underway: Underway) => Promise<PageReply>,
): Promise<PageReply> {
  const addressed = await addressRequest(services, new Parameters(sent), facts.ip);
  if (!('read' in addressed)) return addressed;
  const { client } = addressed;
  let session: Underway['session'];
  const work = async (): Promise<PageReply> => {
    // The signed-in person decides how an error is reported.
    session = await findPresentedSession(services.pages, facts);
    const checked = await addressed.read();
    const request = { ...checked, presentedSessionId: session?.principal.session.id };
    return then({ request, client, session, facts });
  };
  return tellTrouble(services, addressed, work, (error) =>
    reportError(services, addressed, client, session?.principal, error),
  );
}
