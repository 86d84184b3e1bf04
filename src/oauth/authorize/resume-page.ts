import type { Page, PageReply } from '../../iam/pages/page.ts';
import { findPresentedSession } from '../../iam/sessions/presented-session.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { reportError, tellTrouble } from './answer.ts';
import { type Underway, goOn } from './go-on.ts';
import { replyToLookingAhead } from './looking-ahead.ts';
import { recheckClient, recheckRequest } from './recheck.ts';
import { tooLatePage, unanswerablePage } from './refusal-page.ts';
import { RESUME_PATH, openRequest } from './sealed-request.ts';

/** `/oauth2/auth/resume?request=`: goes on with a request, with the client as it is now. */
export function resumePage(services: OAuthServices): Page {
  return {
    path: RESUME_PATH,
    leadsElsewhere: true,
    async show({ request: facts, query }) {
      const ahead = replyToLookingAhead(facts);
      if (ahead !== undefined) return ahead;
      const request = openRequest(services, query.get('request') ?? '');
      if (request === undefined) return tooLatePage();
      let client: RegisteredClient;
      try {
        client = await recheckClient(services, request);
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return unanswerablePage(error);
      }
      let session: Underway['session'];
      const work = async (): Promise<PageReply> => {
        session = await findPresentedSession(services.pages, facts);
        recheckRequest(request, client);
        return goOn(services, { request, client, session, facts });
      };
      return tellTrouble(services, request, work, (error) =>
        reportError(services, request, client, session?.principal, error),
      );
    },
  };
}
