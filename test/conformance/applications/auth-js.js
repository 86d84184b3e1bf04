import { Auth } from '@auth/core';
import express from 'express';
import { SCOPE, endSessionUrl } from './session-application.js';
import { keepTokens } from './token-callbacks.js';
import { webHandler } from './web-handler.js';

/** @param {import('./session-application.js').Registration} registration */
export function start(registration) {
  const { issuer, clientId, clientSecret, origin } = registration;
  const tokens = keepTokens(registration);
  const app = express();
  const config = {
    basePath: '/auth',
    trustHost: true,
    secret: 'a secret of the tests, which is long',
    providers: [
      {
        id: 'latchkey',
        name: 'Latchkey',
        type: 'oidc',
        issuer,
        clientId,
        clientSecret,
        authorization: { params: { scope: SCOPE } },
      },
    ],
    callbacks: tokens.callbacks,
  };
  app.use(
    '/auth',
    webHandler(origin, (request) => Auth(request, config)),
  );
  app.get('/end-session', (_request, response) =>
    response.redirect(endSessionUrl(registration, tokens.idToken())),
  );
  app.get('/bye', (_request, response) => {
    response.json({ bye: true });
  });
  return app;
}
