import express from 'express';
import openIdConnect from 'express-openid-connect';
import { SCOPE } from './session-application.js';

/** @param {import('./session-application.js').Registration} registration */
export function start({ issuer, clientId, clientSecret, origin }) {
  const app = express();
  app.use(
    openIdConnect.auth({
      issuerBaseURL: issuer,
      baseURL: origin,
      clientID: clientId,
      clientSecret,
      secret: 'a secret of the tests, which is long',
      authRequired: false,
      idpLogout: true,
      authorizationParams: { response_type: 'code', scope: SCOPE },
      routes: { login: '/sign-in', logout: '/sign-out', postLogoutRedirect: '/bye' },
    }),
  );
  app.get('/', (_request, response) => response.redirect('/session'));
  app.get('/session', ({ oidc }, response) => {
    const user = oidc.user && { name: oidc.user.name, email: oidc.user.email };
    response.json({ user, accessToken: oidc.accessToken?.access_token });
  });
  app.get('/refresh', async ({ oidc }, response) => {
    const token = await oidc.accessToken.refresh();
    response.json({ accessToken: token.access_token });
  });
  app.get('/bye', (_request, response) => {
    response.json({ bye: true });
  });
  return app;
}
