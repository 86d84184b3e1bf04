import grant from 'grant';
import {
  SCOPE,
  addSessionRoutes,
  endSessionUrl,
  refreshTokens,
  withSessions,
} from './session-application.js';

/** @param {import('./session-application.js').Registration} registration */
export function start(registration) {
  const { issuer, clientId, clientSecret, origin } = registration;
  const app = withSessions();
  app.use(
    grant.express({
      defaults: { origin, transport: 'session', state: true, nonce: true, pkce: true },
      latchkey: {
        authorize_url: `${issuer}/oauth2/auth`,
        access_url: `${issuer}/oauth2/token`,
        profile_url: `${issuer}/oauth2/userinfo`,
        oauth: 2,
        key: clientId,
        secret: clientSecret,
        scope: SCOPE.split(' '),
        scope_delimiter: ' ',
        response: ['tokens', 'profile', 'jwt'],
        redirect_uri: `${origin}/connect/latchkey/callback`,
        callback: '/signed-in',
      },
    }),
  );
  app.get('/sign-in', (_request, response) => response.redirect('/connect/latchkey'));
  app.get('/signed-in', ({ session }, response) => {
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      ...rest
    } = session.grant.response;
    if (accessToken === undefined) throw new Error(JSON.stringify(rest));
    const { name } = rest.jwt.id_token.payload;
    const user = { name, email: rest.profile.email };
    Object.assign(session, { user, accessToken, refreshToken, idToken: rest.id_token });
    response.redirect('/session');
  });
  addSessionRoutes(app, {
    refresh: async ({ refreshToken }) =>
      (await refreshTokens(registration, refreshToken)).access_token,
    signOut: ({ idToken }) => endSessionUrl(registration, idToken),
  });
  return app;
}
