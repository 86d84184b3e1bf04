import type { Page } from '../../iam/pages/page.ts';
import { findPresentedSession } from '../../iam/sessions/presented-session.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { tellTrouble } from './answer.ts';
import { goOn } from './go-on.ts';
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
      return tellTrouble(services, request, async () => {
        recheckRequest(request, client);
        const session = await findPresentedSession(services.pages, facts);
        return goOn(services, { request, client, session, facts });
      });
    },
  };
}
