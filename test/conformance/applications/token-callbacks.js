import { refreshTokens } from './session-application.js';

/**
 * Builds the callbacks with which Auth.js and next-auth keep tokens in the session, and refresh them once they have
 * expired, as their documentation advises.
 * @param {import('./session-application.js').Registration} registration of the application
 */
export function keepTokens(registration) {
  let lastIdToken;
  return {
    callbacks: {
      async jwt({ token, account, trigger }) {
        if (account) {
          lastIdToken = account.id_token;
          const { access_token: accessToken, refresh_token: refreshToken } = account;
          return { ...token, accessToken, refreshToken };
        }
        if (trigger !== 'update') return token;
        const refreshed = await refreshTokens(registration, token.refreshToken);
        const { access_token: accessToken, refresh_token: refreshToken } = refreshed;
        return { ...token, accessToken, refreshToken };
      },
      session: ({ session, token: { accessToken } }) => ({ ...session, accessToken }),
    },
    /** The ID token of the last sign-in. */
    idToken: () => lastIdToken,
  };
}
