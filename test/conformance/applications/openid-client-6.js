import * as client from 'openid-client';
import { SCOPE, sessionApplication } from './session-application.js';

/** @param {import('./session-application.js').Registration} registration */
export async function start({ issuer, clientId, clientSecret, origin }) {
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  return sessionApplication(origin, {
    async begin(session) {
      session.verifier = client.randomPKCECodeVerifier();
      session.state = client.randomState();
      session.nonce = client.randomNonce();
      return client.buildAuthorizationUrl(config, {
        redirect_uri: `${origin}/callback`,
        scope: SCOPE,
        state: session.state,
        nonce: session.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(session.verifier),
        code_challenge_method: 'S256',
      }).href;
    },
    async complete(session, callback) {
      const tokens = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: session.verifier,
        expectedState: session.state,
        expectedNonce: session.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      session.user = { name: claims.name, email: info.email };
      session.accessToken = tokens.access_token;
      session.refreshToken = tokens.refresh_token;
      session.idToken = tokens.id_token;
    },
    async refresh(session) {
      const tokens = await client.refreshTokenGrant(config, session.refreshToken);
      session.refreshToken = tokens.refresh_token;
      return tokens.access_token;
    },
    async signOut(session) {
      await client.tokenRevocation(config, session.refreshToken);
      return client.buildEndSessionUrl(config, {
        id_token_hint: session.idToken,
        post_logout_redirect_uri: `${origin}/bye`,
      }).href;
    },
  });
}
