import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import express from 'express';
import { SCOPE } from './session-application.js';
import { webHandler } from './web-handler.js';

/** @param {import('./session-application.js').Registration} registration */
export function start({ issuer, clientId, clientSecret, origin }) {
  const auth = betterAuth({
    baseURL: origin,
    secret: 'a secret of the tests, which is long',
    telemetry: { enabled: false },
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'latchkey',
            discoveryUrl: `${issuer}/.well-known/openid-configuration`,
            clientId,
            clientSecret,
            scopes: SCOPE.split(' '),
            requireIdTokenVerification: true,
            postLogoutRedirectURI: `${origin}/bye`,
          },
        ],
      }),
    ],
  });
  const app = express();
  app.use(
    '/api/auth',
    webHandler(origin, (request) => auth.handler(request)),
  );
  app.get(['/home', '/bye'], (request, response) => {
    response.json({ path: request.path });
  });
  return app;
}
