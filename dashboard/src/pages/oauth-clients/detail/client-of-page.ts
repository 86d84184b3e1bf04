import type { ClientPlace } from '../../../api/oauth-client-changes.ts';
import type { OAuthClient } from '../../../api/oauth-clients.ts';

/** What the cards of a client's page work with. */
export interface ClientOfPage {
  client: OAuthClient;
  place: ClientPlace;
  /** Whether the person may change it; the page says why not. */
  mayChange: boolean;
}
