import passportLibrary from 'passport';
import OpenIdConnectStrategy from 'passport-openidconnect';
import { addSessionRoutes, endSessionUrl, withSessions } from './session-application.js';

/** @param {import('./session-application.js').Registration} registration */
export function start(registration) {
  const { issuer, clientId, clientSecret } = registration;
  const passport = new passportLibrary.Passport();
  const strategy = new OpenIdConnectStrategy(
    {
      issuer,
      authorizationURL: `${issuer}/oauth2/auth`,
      tokenURL: `${issuer}/oauth2/token`,
      userInfoURL: `${issuer}/oauth2/userinfo`,
      clientID: clientId,
      clientSecret,
      callbackURL: '/callback',
      scope: 'profile email offline_access',
    },
    // The number of parameters decides which ones the library passes.
    // eslint-disable-next-line max-params
    (_issuer, profile, _context, idToken, accessToken, refreshToken, done) => {
      const user = { name: profile.displayName, email: profile.emails?.[0]?.value };
      done(null, { user, idToken, accessToken, refreshToken });
    },
  );
  passport.use('latchkey', strategy);
  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser((user, done) => done(null, user));
  const app = withSessions();
  app.use(passport.session());
  app.get('/sign-in', passport.authenticate('latchkey'));
  app.get('/callback', passport.authenticate('latchkey'), (request, response) => {
    Object.assign(request.session, request.user);
    response.redirect('/session');
  });
  addSessionRoutes(app, {
    // As passport-oauth2-refresh does it.
    refresh({ refreshToken }) {
      const { promise, resolve, reject } = Promise.withResolvers();
      const parameters = { grant_type: 'refresh_token' };
      strategy._oauth2.getOAuthAccessToken(refreshToken, parameters, (error, accessToken) => {
        if (error) reject(new Error(error.data));
        else resolve(accessToken);
      });
      return promise;
    },
    signOut: ({ idToken }) => endSessionUrl(registration, idToken),
  });
  return app;
}
