import { randomUUID } from 'node:crypto';
import { AuthorizationCode } from 'simple-oauth2';
import { SCOPE, sessionApplication } from './session-application.js';

/** @param {import('./session-application.js').Registration} registration */
export function start({ issuer, clientId, clientSecret, origin }) {
  const client = new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: {
      tokenHost: issuer,
      authorizePath: '/oauth2/auth',
      tokenPath: '/oauth2/token',
      revokePath: '/oauth2/revoke',
    },
  });
  const redirectUri = `${origin}/callback`;
  return sessionApplication(origin, {
    begin(session) {
      session.state = randomUUID();
      return client.authorizeURL({ redirect_uri: redirectUri, scope: SCOPE, state: session.state });
    },
    async complete(session, { searchParams }) {
      if (searchParams.get('state') !== session.state) throw new Error('another state');
      const { token } = await client.getToken({
        code: searchParams.get('code'),
        redirect_uri: redirectUri,
        scope: SCOPE,
      });
      // The library knows OAuth only: an application asks for the user itself.
      const headers = { authorization: `Bearer ${token.access_token}` };
      const { name, email } = await (await fetch(`${issuer}/oauth2/userinfo`, { headers })).json();
      session.user = { name, email };
      session.accessToken = token.access_token;
      session.token = token;
    },
    async refresh(session) {
      const { token } = await client.createToken(session.token).refresh();
      session.token = token;
      return token.access_token;
    },
    async signOut(session) {
      await client.createToken(session.token).revokeAll();
      return '/bye';
    },
  });
}
