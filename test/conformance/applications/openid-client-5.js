import { Issuer, generators } from 'openid-client-5';
import { SCOPE, sessionApplication } from './session-application.js';

/** @param {import('./session-application.js').Registration} registration */
export async function start({ issuer, clientId, clientSecret, origin }) {
  const { Client } = await Issuer.discover(issuer);
  const redirectUri = `${origin}/callback`;
  const client = new Client({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    response_types: ['code'],
  });
  return sessionApplication(origin, {
    begin(session) {
      session.verifier = generators.codeVerifier();
      session.state = generators.state();
      session.nonce = generators.nonce();
      return client.authorizationUrl({
        scope: SCOPE,
        state: session.state,
        nonce: session.nonce,
        code_challenge: generators.codeChallenge(session.verifier),
        code_challenge_method: 'S256',
      });
    },
    async complete(session, callback) {
      const tokens = await client.callback(redirectUri, client.callbackParams(callback.href), {
        code_verifier: session.verifier,
        state: session.state,
        nonce: session.nonce,
      });
      const info = await client.userinfo(tokens);
      session.user = { name: tokens.claims().name, email: info.email };
      session.accessToken = tokens.access_token;
      session.tokens = tokens;
    },
    async refresh(session) {
      const tokens = await client.refresh(session.tokens.refresh_token);
      return tokens.access_token;
    },
    signOut(session) {
      return client.endSessionUrl({
        id_token_hint: session.tokens.id_token,
        post_logout_redirect_uri: `${origin}/bye`,
      });
    },
  });
}
