import { parse } from 'cookie';
import express from 'express';
import nextAuthLibrary from 'next-auth';
import { SCOPE, endSessionUrl } from './session-application.js';
import { keepTokens } from './token-callbacks.js';

/** @param {import('./session-application.js').Registration} registration */
export function start(registration) {
  const { issuer, clientId, clientSecret, origin } = registration;
  const tokens = keepTokens(registration);
  const app = express();
  const options = {
    secret: 'a secret of the tests, which is long',
    providers: [
      {
        id: 'latchkey',
        name: 'Latchkey',
        type: 'oauth',
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        idToken: true,
        checks: ['pkce', 'state', 'nonce'],
        authorization: { params: { scope: SCOPE } },
        profile: ({ sub, name, email }) => ({ id: sub, name, email }),
      },
    ],
    callbacks: tokens.callbacks,
  };
  app.use(express.urlencoded(), express.json());
  // As Next.js calls it: with the parts of the path, and cookies, in the request.
  app.all('/api/auth/*nextauth', (request, response) => {
    const { nextauth } = request.params;
    const query = { value: { ...request.query, nextauth } };
    const cookies = { value: parse(request.headers.cookie ?? '') };
    process.env.NEXTAUTH_URL = origin;
    return nextAuthLibrary.default(Object.create(request, { query, cookies }), response, options);
  });
  app.get('/end-session', (_request, response) =>
    response.redirect(endSessionUrl(registration, tokens.idToken())),
  );
  app.get('/bye', (_request, response) => {
    response.json({ bye: true });
  });
  return app;
}
