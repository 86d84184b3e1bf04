import { parameterChecks } from './authorization-checks.ts';
import {
  type Difference,
  type RedirectingClient,
  explainMismatch,
  isRegistered,
  nearestRegistered,
} from './registered-redirect.ts';
import { type SentParameters, readParameters } from './sent-parameters.ts';
import { writingFindings } from './written-address.ts';

/** The client that an address is held against. */
export interface CheckedClient extends RedirectingClient {
  id: string;
  scopes: readonly string[];
  hasRefreshTokens: boolean;
}

/** What the check has to know of the server. */
export interface CheckingServer {
  /** Its public origin. */
  issuer: string;
  /** Where access tokens are good: the only values of `resource`. */
  resourceServers: readonly string[];
  /** Every scope that there is. */
  knownScopes: readonly string[];
}

/**
 * What the server does when it gets a request: `elsewhere` when it does not get it, `page` when it tells
 * nobody but the person, an error code when it tells the client.
 */
export type ServerAnswer =
  | 'elsewhere'
  | 'page'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_response_type'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/** Something about an address. */
export interface Finding {
  /** The parameter that it is about; undefined for the address as a whole. */
  parameter?: string;
  /** What the server does about it; undefined for mere advice, which it goes on without. */
  answer?: ServerAnswer;
  /** What is wrong, in a sentence. */
  problem: string;
  /** What to do about it. */
  mend: string;
  /** For a redirect URI: how it differs from the registered one that is most like it. */
  difference?: Difference;
}

/** What is to be said about an address. */
export interface Verdict {
  /** Those that stop it first, in the order in which the server comes upon them; then advice. */
  findings: readonly Finding[];
  /** `pushed` for a request of which the address only holds the name: what was pushed counts. */
  answer: ServerAnswer | 'continues' | 'pushed';
  sent: SentParameters;
}

/** What checks work with. */
export interface Checked {
  sent: SentParameters;
  client: CheckedClient;
  server: CheckingServer;
}

/** Where clients send people. */
export const AUTHORIZATION_PATH = '/oauth2/auth';

const PUSHED = 'urn:ietf:params:oauth:request_uri:';

/**
 * Holds an address against a client, as `GET /oauth2/auth` would: everything that is wrong with it, and
 * not only the first thing.
 */
export function checkAuthorizationUrl(
  text: string,
  client: CheckedClient,
  server: CheckingServer,
): Verdict {
  const written = text.trim();
  const url = URL.parse(written) ?? URL.parse(written, server.issuer);
  const sent = readParameters(url?.search.slice(1) ?? '');
  const checked: Checked = { sent, client, server };
  const isPushed = sent.get('request_uri')?.startsWith(PUSHED) === true;
  const findings = [
    ...findEndpointFaults(written, url, server),
    ...findClientFaults(checked),
    ...(isPushed ? findPushedFaults(checked) : findSentFaults(checked)),
    ...writingFindings(written, sent),
  ];
  const faults = findings.filter(({ answer }) => answer !== undefined);
  const advice = findings.filter(({ answer }) => answer === undefined);
  return {
    findings: [...faults, ...advice],
    answer: faults[0]?.answer ?? (isPushed ? 'pushed' : 'continues'),
    sent,
  };
}

function findSentFaults(checked: Checked): Finding[] {
  return [...findRedirectFaults(checked), ...parameterChecks.flatMap((check) => check(checked))];
}

function findPushedFaults({ sent }: Checked): Finding[] {
  if (!sent.repeated.includes('request_uri')) return [];
  const problem = 'request_uri must not be repeated.';
  return [{ parameter: 'request_uri', answer: 'page', problem, mend: 'Send the parameter once.' }];
}

function findEndpointFaults(text: string, url: URL | null, { issuer }: CheckingServer): Finding[] {
  const endpoint = issuer + AUTHORIZATION_PATH;
  const mend = `The authorization endpoint is ${endpoint}.`;
  const elsewhere = (problem: string): Finding[] => [{ answer: 'elsewhere', problem, mend }];
  if (url === null || !/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    return elsewhere('This is not a complete URL.');
  }
  const home = new URL(issuer);
  if (url.protocol !== home.protocol) {
    return elsewhere(
      `The URL starts with ${url.protocol}//, and this server uses ${home.protocol}//.`,
    );
  }
  if (url.host !== home.host) {
    return elsewhere(`The URL names the host ${url.host}, and this server is ${home.host}.`);
  }
  if (url.pathname === AUTHORIZATION_PATH) return [];
  return elsewhere(`The path ${url.pathname} is not the path of the authorization endpoint.`);
}

function findClientFaults({ sent, client }: Checked): Finding[] {
  const page = (problem: string, mend: string): Finding[] => [
    { parameter: 'client_id', answer: 'page', problem, mend },
  ];
  const sendOwn = `Send client_id=${client.id}.`;
  if (sent.repeated.includes('client_id')) return page('client_id must not be repeated.', sendOwn);
  const id = sent.get('client_id');
  if (id === undefined) return page('client_id is missing.', sendOwn);
  if (id === client.id) return [];
  if (id.trim().toLowerCase() === client.id) {
    return page('client_id differs from the registered ID in case or spaces.', sendOwn);
  }
  const problem = 'client_id is not the ID of this client.';
  return page(problem, `${sendOwn} Or check the URL on the page of the client that it names.`);
}

function findRedirectFaults({ sent, client }: Checked): Finding[] {
  const parameter = 'redirect_uri';
  const answer = 'page' as const;
  if (sent.repeated.includes(parameter)) {
    const mend = 'Send the parameter once. A duplicate is ambiguous.';
    return [{ parameter, answer, problem: 'redirect_uri must not be repeated.', mend }];
  }
  const uri = sent.get(parameter);
  if (uri === undefined) {
    const mend = 'Send one of the registered redirect URIs, even if only one is registered.';
    return [{ parameter, answer, problem: 'redirect_uri is missing.', mend }];
  }
  if (isRegistered(uri, client)) return [];
  const difference = nearestRegistered(uri, client.redirectUris);
  return [
    {
      parameter,
      answer,
      problem: "redirect_uri doesn't exactly match a registered redirect URI.",
      mend: explainMismatch(uri, client, sent),
      ...(difference !== undefined && { difference }),
    },
  ];
}

/** What an application asks for when it sends a person. Left out is what is undefined or empty. */
export interface AuthorizationParameters {
  client_id: string;
  redirect_uri: string;
  scope: string;
  state: string;
  nonce?: string | undefined;
  code_challenge?: string | undefined;
  prompt?: string | undefined;
  login_hint?: string | undefined;
  max_age?: string | undefined;
}

/** The address with which an application sends a person. */
export function authorizationUrl(issuer: string, parameters: AuthorizationParameters): string {
  const all: Record<string, string | undefined> = {
    response_type: 'code',
    ...parameters,
    ...(parameters.code_challenge && { code_challenge_method: 'S256' }),
  };
  const query = Object.entries(all)
    .filter(([, value]) => value !== undefined && value !== '')
    // Blanks as %20: in a form they are "+", but in the rest of an address that is a plus.
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  return `${issuer}${AUTHORIZATION_PATH}?${query}`;
}
