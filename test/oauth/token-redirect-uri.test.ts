import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type CodeOptions,
  REDIRECT_URI,
  authorize,
  createPkce,
} from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { assertRefused, createTokenClient, postAs } from './redemptions.ts';

const OTHER_URI = 'https://app.example.com/other';

/** `redirect_uri` of a token request (OAuth 2.1 section 4.1.3). */
onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let app: Json;
  let userId: string;
  before(async () => {
    server = await bootServer(database);
    client = await createTokenClient(server, { redirect_uris: [REDIRECT_URI, OTHER_URI] });
    app = await createTokenClient(server, { token_endpoint_auth_method: 'none' });
    ({ userId } = await createPerson(server, { accountId: server.accountId }));
  });
  after(() => server.stop());

  describe('redirect_uri is absent', () => {
    async function redeemWithout(
      registered: Json,
      options: Partial<CodeOptions>,
      fields: Record<string, string>,
    ): Promise<Answer> {
      const code = await authorize(server, { userId, clientId: registered.client_id, ...options });
      const body = { grant_type: 'authorization_code', code, ...fields };
      return postAs(server, registered, '/oauth2/token', body);
    }

    test('the code is bound to PKCE, and the client has one redirect URI: accepted', async () => {
      const { verifier, challenge } = createPkce();
      const options = { codeChallenge: challenge };
      const answer = await redeemWithout(app, options, { code_verifier: verifier });
      assert.equal(answer.status, 200, answer.text);
      const wrong = await redeemWithout(app, options, { code_verifier: createPkce().verifier });
      assertRefused(wrong, 'invalid_grant');
      const other = { code_verifier: verifier, redirect_uri: OTHER_URI };
      assertRefused(await redeemWithout(app, options, other), 'invalid_grant');
    });

    test('without PKCE, or with several redirect URIs: refused', async () => {
      const one = await createTokenClient(server);
      assertRefused(await redeemWithout(one, {}, {}), 'invalid_request');
      const { verifier, challenge } = createPkce();
      const options = { codeChallenge: challenge };
      const answer = await redeemWithout(client, options, { code_verifier: verifier });
      assertRefused(answer, 'invalid_request');
    });
  });
});
