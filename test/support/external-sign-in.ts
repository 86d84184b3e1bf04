import assert from 'node:assert/strict';
import { PUBLIC_ORIGIN, type TestOpenIdProvider } from './openid-provider.ts';
import { type Answer, type TestServer, request } from './server.ts';

/** Where the provider sends the browser back to. */
export const CALLBACK = '/login/external/callback';

/** The cookies that an answer sets, without those that it takes away. */
export function cookiesOf(answer: Answer): Map<string, string> {
  const pairs = answer.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return [name, value] as const;
  });
  return new Map(pairs.filter(([, value]) => value !== ''));
}

/** The names of the session cookies that a response sets. */
export function sessionCookiesOf(answer: Answer): string[] {
  return [...cookiesOf(answer).keys()].filter((name) => !name.includes('_external_'));
}

export function cookieHeader(cookies: ReadonlyMap<string, string>): { cookie: string } {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

/** A page of the server, asked for where it listens and not where it says that it is. */
export function getPage(
  server: TestServer,
  path: string,
  cookies: ReadonlyMap<string, string> = new Map(),
): Promise<Answer> {
  return request('GET', server.origin + path, { headers: cookieHeader(cookies) });
}

/** A browser on its way to the provider. */
export interface Departure {
  begun: Answer;
  cookies: Map<string, string>;
  /** Where it is sent. */
  url: URL;
}

/** Sets out for the provider. */
export async function depart(server: TestServer, returnTo = '/'): Promise<Departure> {
  const query = returnTo === '/' ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const begun = await getPage(server, `/login/external${query}`);
  assert.equal(begun.status, 303, begun.text);
  const url = new URL(begun.headers.get('location') ?? '');
  return { begun, cookies: cookiesOf(begun), url };
}

/** A browser that has come back from the provider. */
export interface RoundTrip extends Departure {
  /** Of the callback, which is not visited yet. */
  path: string;
  query: URLSearchParams;
}

/** Goes to the provider and comes back. */
export async function makeRoundTrip(
  server: TestServer,
  provider: TestOpenIdProvider,
  returnTo = '/',
): Promise<RoundTrip> {
  const departure = await depart(server, returnTo);
  const callback = await provider.visit(departure.url.href);
  assert.equal(callback.origin + callback.pathname, PUBLIC_ORIGIN + CALLBACK);
  return {
    ...departure,
    path: callback.pathname + callback.search,
    query: callback.searchParams,
  };
}

/** Signs in, as far as the provider and the server let. */
export async function signInThere(
  server: TestServer,
  provider: TestOpenIdProvider,
  returnTo = '/',
): Promise<Answer> {
  const { cookies, path } = await makeRoundTrip(server, provider, returnTo);
  return getPage(server, path, cookies);
}

/** A request to the management API with the cookies of a session that began over https. */
export function callWith(
  server: TestServer,
  cookies: ReadonlyMap<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return request(method, `${server.origin}/client/v4${path}`, {
    headers: {
      ...cookieHeader(cookies),
      'x-csrf-token': cookies.get('__Host-latchkey_csrf') ?? '',
    },
    ...(body === undefined ? {} : { body }),
  });
}
