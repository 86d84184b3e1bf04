import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';

interface Context {
  after(work: () => unknown): void;
}

/** Where the server under test says that browsers reach it. */
export const PUBLIC_ORIGIN = 'https://id.example.com';

const CLIENT_ID = 'latchkey';
const CLIENT_SECRET = randomBytes(32).toString('hex');

/** Whoever signs in at the provider next. */
export interface ProviderPerson {
  subject: string;
  email?: string;
  email_verified?: boolean | string;
}

export interface ProviderOptions {
  /** Default: any free one. */
  port?: number;
  /** Puts the email address into the ID token, as some providers do. */
  claimsInIdToken?: boolean;
  /** How this server has to prove who it is; `none` for a public client. */
  authentication?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

/** An OpenID provider on loopback. */
export interface TestOpenIdProvider {
  issuer: string;
  port: number;
  /** Settings of the server under test. */
  settings: Record<string, string>;
  /** Undefined: whoever comes says no. */
  person: ProviderPerson | undefined;
  /** Method and path of every request so far. */
  requests: string[];
  /** Does what a browser and its person do with the address; answers where it is sent back to. */
  visit(url: string): Promise<URL>;
  stop(): Promise<void>;
}

/** What this file needs of the library, which has no types. */
interface ProviderLibrary {
  new (issuer: string, configuration: object): ProviderInstance;
}

interface ProviderInstance {
  callback(): RequestListener;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{
    prompt: { name: string };
    params: { scope: string };
    session?: { accountId: string };
  }>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
  ): Promise<void>;
  Grant: new (grant: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

// Made once: it takes a while.
const key = createKey();

function createKey(): { privateJwk: object; publicJwk: object; sign(text: string): string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const shared = { alg: 'RS256', use: 'sig', kid: 'test' };
  return {
    privateJwk: { ...privateKey.export({ format: 'jwk' }), ...shared },
    publicJwk: { ...publicKey.export({ format: 'jwk' }), ...shared },
    sign: (text) => sign('sha256', Buffer.from(text), privateKey).toString('base64url'),
  };
}

async function listen(t: Context, server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A real provider that lets whoever it is told in, without asking. */
export async function startOpenIdProvider(
  t: Context,
  { port, claimsInIdToken = false, authentication = 'client_secret_basic' }: ProviderOptions = {},
): Promise<TestOpenIdProvider> {
  const module = 'oidc-provider';
  const { Provider } = (await import(module)) as { Provider: ProviderLibrary };
  // By a name of its own, the library does not warn of it.
  const memory = 'oidc-provider/lib/adapters/memory_adapter.js';
  const { default: MemoryAdapter } = (await import(memory)) as {
    default: new (name: string) => object;
  };
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => {
    provider.requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    listener(request, response);
  });
  const listeningPort = await listen(t, server, port);
  const issuer = `http://127.0.0.1:${listeningPort}`;
  const provider: TestOpenIdProvider = {
    issuer,
    port: listeningPort,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      ...(authentication === 'none' ? {} : { OIDC_CLIENT_SECRET: CLIENT_SECRET }),
      OIDC_NAME: 'Example Inc',
      BASE_URL: `${PUBLIC_ORIGIN}/client/v4`,
    },
    person: { subject: 'somebody' },
    requests: [],
    visit,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const people = new Map<string, ProviderPerson>();
  const library = new Provider(issuer, {
    adapter: class extends MemoryAdapter {},
    clients: [
      {
        client_id: CLIENT_ID,
        ...(authentication === 'none' ? {} : { client_secret: CLIENT_SECRET }),
        token_endpoint_auth_method: authentication,
        redirect_uris: [`${PUBLIC_ORIGIN}/login/external/callback`],
      },
    ],
    clientAuthMethods: [authentication],
    jwks: { keys: [key.privateJwk] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !claimsInIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { Session: 60, Grant: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId), name: 'Somebody' }),
    }),
  });
  const answer = library.callback();
  listener = (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) {
      answer(request, response);
      return;
    }
    void interact(library, provider, people, request, response);
  };
  return provider;
}

async function interact(
  library: ProviderInstance,
  { person }: TestOpenIdProvider,
  people: Map<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await library.interactionDetails(request, response);
  let result: object;
  if (person === undefined) {
    result = { error: 'access_denied', error_description: 'said no' };
  } else if (prompt.name === 'login') {
    people.set(person.subject, person);
    result = { login: { accountId: person.subject, remember: false } };
  } else {
    const grant = new library.Grant({ accountId: session?.accountId, clientId: CLIENT_ID });
    grant.addOIDCScope(params.scope);
    result = { consent: { grantId: await grant.save() } };
  }
  await library.interactionFinished(request, response, result);
}

const MAX_REDIRECTS = 10;

async function visit(start: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let i = 0; i < MAX_REDIRECTS && url.origin !== PUBLIC_ORIGIN; i++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}

/** A provider that answers what it is told to, right or wrong. */
export interface FakeOpenIdProvider extends Pick<
  TestOpenIdProvider,
  'issuer' | 'settings' | 'requests'
> {
  /** Changes the claims of the next ID tokens. */
  claims: Record<string, unknown>;
  /** Claims of userinfo; undefined: there is no such endpoint. */
  userInfo: Record<string, unknown> | undefined;
  /** Default: 200. */
  userInfoStatus: number;
  /** Changes the signature of the next ID tokens. */
  signature: ((right: string) => string) | undefined;
  /** Answers instead, when it does; by path. */
  answers: Map<string, (response: ServerResponse) => void>;
}

/** Starts a provider whose token endpoint takes any code. */
export async function startFakeProvider(t: Context): Promise<FakeOpenIdProvider> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    fake.requests.push(`${request.method} ${path}`);
    const special = fake.answers.get(path);
    if (special !== undefined) {
      special(response);
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (path === '/userinfo') response.statusCode = fake.userInfoStatus;
    response.end(JSON.stringify(routes[path]?.() ?? {}));
  });
  const issuer = `http://127.0.0.1:${await listen(t, server)}`;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const idToken = (): string => {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: CLIENT_ID, sub: 'x', iat: nowSeconds, exp: nowSeconds + 60 };
    const body = { ...claims, email: 'x@example.com', email_verified: true, ...fake.claims };
    const signed = `${encode({ alg: 'RS256', kid: 'test' })}.${encode(body)}`;
    const signature = key.sign(signed);
    return `${signed}.${fake.signature?.(signature) ?? signature}`;
  };
  const routes: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...(fake.userInfo !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
    }),
    '/userinfo': () => ({ sub: 'x', ...fake.userInfo }),
    '/jwks': () => ({ keys: [key.publicJwk] }),
    '/token': () => ({ access_token: 'a', token_type: 'Bearer', id_token: idToken() }),
  };
  const settings = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_NAME: 'Example Inc',
    BASE_URL: `${PUBLIC_ORIGIN}/client/v4`,
  };
  const fake: FakeOpenIdProvider = {
    issuer,
    settings,
    requests: [],
    claims: {},
    userInfo: undefined,
    userInfoStatus: 200,
    signature: undefined,
    answers: new Map(),
  };
  return fake;
}
