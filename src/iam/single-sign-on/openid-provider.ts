import {
  AuthorizationResponseError,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  None,
  ResponseBodyError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { type RequestInit, fetch as fetchThrough } from 'undici';
import { createTrustedAgent } from '../../http/trusted-agent.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ForwardProxies } from '../../lib/forward-proxies.ts';
import type { SignInPrompt } from '../pages/sign-in-wishes.ts';
import { type Claims, type ExternalProfile, lacksClaims, readProfile } from './external-claims.ts';
import type { ExternalIdentity } from './external-identity-store.ts';
import { ProviderTrouble } from './provider-trouble.ts';

/** The client that an OpenID provider knows this server as. */
export interface OpenIdProviderSettings {
  /** Exactly as the provider names itself. */
  issuer: string;
  clientId: string;
  /** Undefined for a public client: then PKCE alone protects the code. */
  clientSecret: string | undefined;
  /** What people call it. */
  name: string;
  /** Its addresses count without `email_verified`. */
  trustsEmail: boolean;
  forwardProxies?: ForwardProxies;
}

/** What has to be remembered of a sign-in until the browser comes back. */
export interface SignInUnderWay {
  /** Unguessable; comes back with the browser. */
  state: string;
  /** Ties the ID token to this sign-in. */
  nonce: string;
  /** Of PKCE (RFC 7636). */
  codeVerifier: string;
}

/** How the person is to sign in at the provider. */
export interface ProviderWishes {
  /** `login`: the provider authenticates the person now and states when it did. */
  prompt: SignInPrompt | undefined;
  loginHint: string;
}

/** A user whom the provider has authenticated. */
export interface ExternalPerson extends ExternalIdentity, ExternalProfile {
  /** When the provider authenticated the person, in whole seconds; undefined: it does not say. */
  authTimeMs: number | undefined;
}

// Keys that the provider adds meanwhile are fetched when a token names one of them.
const DISCOVERY_LIFETIME_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const SCOPES = 'openid email profile';

interface Discovered {
  configuration: Configuration;
  atMs: number;
}

/** Another server that knows who people are: OpenID Connect Core, with the code flow and PKCE. */
export class OpenIdProvider {
  readonly name: string;
  readonly #settings: OpenIdProviderSettings;
  readonly #clock: Clock;
  readonly #fetch: CustomFetch;
  #discovered: Discovered | undefined;
  #discovering: Promise<Configuration> | undefined;

  constructor(settings: OpenIdProviderSettings, clock: Clock) {
    this.name = settings.name;
    this.#settings = settings;
    this.#clock = clock;
    this.#fetch = createFetch(settings.forwardProxies);
  }

  /** Learns what the provider says of itself, when that is not known yet. @throws ProviderTrouble */
  async prepare(): Promise<void> {
    await this.#configuration();
  }

  /**
   * Where to send the browser.
   * @throws ProviderTrouble
   */
  async authorizationUrl(
    redirectUri: string,
    { state, nonce, codeVerifier }: SignInUnderWay,
    { prompt, loginHint }: ProviderWishes,
  ): Promise<URL> {
    return buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: redirectUri,
      scope: SCOPES,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // Few providers know `select_account`, and all ask for another account as well.
      ...(prompt !== undefined && { prompt: 'login' }),
      // OpenID Connect Core section 3.1.2.1: it makes the provider state `auth_time`.
      ...(prompt === 'login' && { max_age: '0' }),
      ...(loginHint !== '' && { login_hint: loginHint }),
    });
  }

  /**
   * Whom the provider vouches for. Checks the answer and the ID token as OpenID Connect Core section
   * 3.1.3.7 demands: issuer, audience, times, nonce, and the signature too.
   * @param callbackUrl the redirect URI with the query that the browser brought
   * @throws ProviderTrouble
   */
  async complete(callbackUrl: URL, underWay: SignInUnderWay): Promise<ExternalPerson> {
    const configuration = await this.#configuration();
    try {
      return await this.#redeem(configuration, callbackUrl, underWay);
    } catch (error) {
      throw toTrouble(error);
    }
  }

  async #redeem(
    configuration: Configuration,
    callbackUrl: URL,
    { state, nonce, codeVerifier }: SignInUnderWay,
  ): Promise<ExternalPerson> {
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new ClientError('the ID token is missing');
    const { iss: issuer, sub: subject, auth_time: authTime } = claims;
    return {
      issuer,
      subject,
      ...(await this.#readProfile(configuration, tokens.access_token, claims)),
      authTimeMs: typeof authTime === 'number' && authTime > 0 ? authTime * 1_000 : undefined,
    };
  }

  /** Section 5.4: with the code flow, userinfo may contain claims that the ID token lacks. */
  async #readProfile(
    configuration: Configuration,
    accessToken: string,
    idToken: Claims & { sub: string },
  ): Promise<ExternalProfile> {
    const { trustsEmail } = this.#settings;
    const own = readProfile(idToken, {}, trustsEmail);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (!hasUserInfo || !lacksClaims(idToken)) return own;
    try {
      const userInfo = await fetchUserInfo(configuration, accessToken, idToken.sub);
      return readProfile(idToken, userInfo, trustsEmail);
    } catch (error) {
      // The name alone is not worth a failed sign-in.
      if (own.emailFault === undefined) return own;
      throw error;
    }
  }

  /** What the provider says of itself; asked for when it is needed, and once by all who wait. */
  async #configuration(): Promise<Configuration> {
    const ageMs = this.#clock.now() - (this.#discovered?.atMs ?? -Infinity);
    if (this.#discovered !== undefined && ageMs >= 0 && ageMs < DISCOVERY_LIFETIME_MS) {
      return this.#discovered.configuration;
    }
    this.#discovering ??= this.#discover().finally(() => {
      this.#discovering = undefined;
    });
    return this.#discovering;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    try {
      const configuration = await discovery(
        url,
        clientId,
        undefined,
        clientSecret === undefined ? None() : clientAuthentication(clientSecret),
        {
          timeout: TIMEOUT_SECONDS,
          [customFetch]: this.#fetch,
          // The settings allow http on this machine alone.
          execute: [
            enableNonRepudiationChecks,
            ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
          ],
        },
      );
      this.#discovered = { configuration, atMs: this.#clock.now() };
      return configuration;
    } catch (error) {
      throw toTrouble(error);
    }
  }
}

function createFetch(proxies: ForwardProxies | undefined): CustomFetch {
  const dispatcher = createTrustedAgent(TIMEOUT_SECONDS * 1_000, proxies);
  // The library describes the built-in fetch, which need not accept the agents of another version.
  return (async (url: string, options: RequestInit) =>
    fetchThrough(url, { ...options, dispatcher })) as unknown as CustomFetch;
}

/** Discovery section 3: `client_secret_basic` is what a provider takes that does not say. */
function clientAuthentication(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (provider, client, body, headers) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(provider, client, body, headers);
  };
}

/** What the library throws may carry tokens and claims along: only words of it are kept. */
function toTrouble(error: unknown): ProviderTrouble {
  if (error instanceof ProviderTrouble) return error;
  if (error instanceof AuthorizationResponseError) {
    const isCode = /^[a-z_]{1,64}$/.test(error.error);
    return new ProviderTrouble('refused', isCode ? error.error : 'an unknown error');
  }
  const { message, code, cause } = error as Error & { code?: string };
  const inner = (cause as { code?: unknown } | undefined)?.code;
  const told = error instanceof ResponseBodyError ? error.error : inner;
  // RFC 6749 section 5.2.
  if (told === 'invalid_grant') return new ProviderTrouble('stale', told);
  const reason = [message, code, told].filter((word) => typeof word === 'string').join(' ');
  return new ProviderTrouble(isUnreachable(error) ? 'unreachable' : 'unusable', reason);
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= 500;
  if (error instanceof ClientError) {
    const { status = 0 } = (error.cause ?? {}) as { status?: number };
    return error.code === 'OAUTH_TIMEOUT' || status >= 500;
  }
  // What fetch throws when there is no connection, or when it breaks.
  return error instanceof TypeError && error.message === 'fetch failed';
}
