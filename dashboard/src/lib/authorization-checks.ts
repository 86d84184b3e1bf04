import type { Checked, Finding, ServerAnswer } from './authorization-url.ts';
import { readList } from './sent-parameters.ts';

/**
 * What the server checks once it knows where its answer goes, in its order; one function for each of
 * its checks. What has no `answer` is advice of ours.
 */
export const parameterChecks: readonly ((checked: Checked) => Finding[])[] = [
  checkRepeated,
  checkUnsupported,
  checkResponseType,
  checkResponseMode,
  checkResource,
  checkPkce,
  checkScope,
  checkState,
  checkNonce,
  checkPrompt,
  checkMaxAge,
  checkLoginHint,
  checkIdTokenHint,
  checkLength,
];

function fault(parameter: string, answer: ServerAnswer, problem: string, mend: string): [Finding] {
  return [{ parameter, answer, problem, mend }];
}

function advice(parameter: string, problem: string, mend: string): [Finding] {
  return [{ parameter, problem, mend }];
}

function checkRepeated({ sent }: Checked): Finding[] {
  return sent.repeated
    .filter((name) => name !== 'client_id' && name !== 'redirect_uri')
    .flatMap((name) =>
      fault(name, 'invalid_request', `${name} must not be repeated.`, 'Send every parameter once.'),
    );
}

const UNSUPPORTED = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

function checkUnsupported({ sent, server }: Checked): Finding[] {
  return UNSUPPORTED.flatMap(([name, answer]) => {
    if (sent.get(name) === undefined) return [];
    const mend = `Leave it out. To keep parameters out of the address, push them to ${server.issuer}/oauth2/par.`;
    return fault(name, answer, `${name} is not supported.`, mend);
  });
}

function checkResponseType({ sent }: Checked): Finding[] {
  const type = sent.get('response_type');
  const mend = 'Send response_type=code.';
  if (type === undefined) {
    return fault('response_type', 'invalid_request', 'response_type is missing.', mend);
  }
  if (type === 'code') return [];
  const problem = `The response type “${type}” is not supported: no token ever comes in an address.`;
  return fault('response_type', 'unsupported_response_type', problem, mend);
}

function checkResponseMode({ sent }: Checked): Finding[] {
  const mode = sent.get('response_mode') ?? 'query';
  if (mode === 'query') return [];
  const problem = `The response mode “${mode}” is not supported.`;
  return fault('response_mode', 'invalid_request', problem, 'Leave it out, or send query.');
}

function checkResource({ sent, server }: Checked): Finding[] {
  const bare = (uri: string): string => (uri.endsWith('/') ? uri.slice(0, -1) : uri);
  const known = server.resourceServers.map(bare);
  const mend = `Leave it out, or send ${server.resourceServers.join(' or ')}.`;
  return [...new Set(sent.getAll('resource'))]
    .filter((resource) => !known.includes(bare(resource)))
    .flatMap((resource) =>
      fault('resource', 'invalid_target', `The resource ${resource} is not on this server.`, mend),
    );
}

// SHA-256 in base64url (RFC 7636 section 4.2).
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const CHALLENGE_LENGTH = 43;
const ONLY_S256 = 'Send code_challenge_method=S256 and the SHA-256 of the verifier.';

function checkPkce({ sent, client }: Checked): Finding[] {
  const challenge = sent.get('code_challenge');
  const method = sent.get('code_challenge_method');
  if (challenge === undefined) return checkNoChallenge(method, client.authMethod === 'none');
  const findings = CHALLENGE.test(challenge)
    ? []
    : fault('code_challenge', 'invalid_request', describeChallenge(challenge), MAKE_CHALLENGE);
  if (method === 'S256') return findings;
  const problem =
    method === undefined
      ? 'code_challenge_method is missing, which would mean plain.'
      : `The method “${method}” is not supported${method === 'plain' ? ': it shows the verifier to whoever sees the address' : ''}.`;
  return [...fault('code_challenge_method', 'invalid_request', problem, ONLY_S256), ...findings];
}

const MAKE_CHALLENGE =
  'Make it from the verifier: SHA-256, then base64url without padding. That is 43 letters, digits, - or _.';

function describeChallenge(challenge: string): string {
  if (/[ +/=]/.test(challenge)) {
    return 'code_challenge holds + / or =: that is base64, and not base64url without padding.';
  }
  return challenge.length === CHALLENGE_LENGTH
    ? 'code_challenge holds characters that base64url does not have.'
    : `code_challenge has ${challenge.length} characters, and a SHA-256 in base64url has 43.`;
}

function checkNoChallenge(method: string | undefined, isPublic: boolean): Finding[] {
  if (method !== undefined) {
    const problem = 'There is a code_challenge_method, and no code_challenge.';
    return fault('code_challenge', 'invalid_request', problem, MAKE_CHALLENGE);
  }
  return isPublic
    ? fault(
        'code_challenge',
        'invalid_request',
        'code_challenge is missing: a client without a secret must use PKCE.',
        ONLY_S256,
      )
    : advice(
        'code_challenge',
        'It goes without PKCE, so a code that leaks could be used by somebody else.',
        'The client holds a secret, so the server does not insist. Send a code_challenge all the same.',
      );
}

const PROTOCOL_SCOPES = ['openid', 'profile', 'email', 'offline_access'];

function checkScope(checked: Checked): Finding[] {
  const { sent, client } = checked;
  const asked = sent.get('scope');
  if (asked === undefined) {
    const problem =
      'scope is missing, so everything that the client is registered for is asked for.';
    return advice('scope', problem, 'Ask for what you need: people allow less more readily.');
  }
  const scopes = readList(asked);
  if (scopes.length === 0) {
    return fault('scope', 'invalid_scope', 'scope is empty.', 'Name a scope, or leave it out.');
  }
  return scopes
    .filter((scope) => !client.scopes.includes(scope))
    .flatMap((scope) => fault('scope', 'invalid_scope', ...explainScope(scope, checked)));
}

function explainScope(scope: string, { client, server }: Checked): [problem: string, mend: string] {
  const isKnown = (id: string): boolean =>
    PROTOCOL_SCOPES.includes(id) || server.knownScopes.includes(id);
  if (scope === 'offline_access' && !client.hasRefreshTokens) {
    const problem =
      'The client cannot ask for offline_access: it is not registered for refresh tokens.';
    return [problem, 'Leave it out, or add refresh_token to the grant types of the client.'];
  }
  if (isKnown(scope)) {
    const problem = `The client is not registered for the scope ${scope}.`;
    return [problem, 'Leave it out, or add it to the scopes of the client.'];
  }
  if (scope.includes(',')) {
    const problem = `There is no scope “${scope}”.`;
    return [problem, 'Blanks go between scopes, and no commas.'];
  }
  const dotted = scope.replaceAll(':', '.');
  if (dotted !== scope) {
    const mend = isKnown(dotted) ? `Write ${dotted}.` : `There is no ${dotted} either.`;
    return [`The scope ${scope} has colons, but scopes are written with dots.`, mend];
  }
  const lower = scope.toLowerCase();
  const mend = isKnown(lower) ? `Write ${lower}.` : 'Leave it out, or look it up in the list.';
  return [`There is no scope “${scope}”.`, mend];
}

function checkState({ sent }: Checked): Finding[] {
  if (sent.get('state') !== undefined) return [];
  const problem = 'state is missing: your application cannot tell whether it has sent the person.';
  return advice(
    'state',
    problem,
    'Send a random value for each person, and compare it afterwards.',
  );
}

function checkNonce({ sent }: Checked): Finding[] {
  if (!/\p{Cc}/u.test(sent.get('nonce') ?? '')) return [];
  const problem = 'nonce holds a control character.';
  return fault('nonce', 'invalid_request', problem, 'Send letters and digits.');
}

const PROMPTS = ['none', 'login', 'consent', 'select_account'];

function checkPrompt({ sent }: Checked): Finding[] {
  const values = readList(sent.get('prompt'));
  if (values.includes('none') && values.length > 1) {
    const problem = 'prompt=none cannot be combined with other values.';
    return fault('prompt', 'invalid_request', problem, 'Send it alone, or leave it out.');
  }
  return values
    .filter((value) => !PROMPTS.includes(value))
    .flatMap((value) =>
      advice('prompt', `prompt=${value} is ignored.`, `There are ${PROMPTS.join(', ')}.`),
    );
}

function checkMaxAge({ sent }: Checked): Finding[] {
  const maxAge = sent.get('max_age');
  if (maxAge === undefined || /^[0-9]{1,10}$/.test(maxAge)) return [];
  const problem = 'max_age is no whole number of seconds.';
  return fault(
    'max_age',
    'invalid_request',
    problem,
    'Send a number such as 3600, or leave it out.',
  );
}

// RFC 5321 section 4.5.3.1: no address is longer.
const MAX_HINT_LENGTH = 254;

function isHint(hint: string): boolean {
  return hint.length <= MAX_HINT_LENGTH && !/\p{Cc}/u.test(hint);
}

function checkLoginHint({ sent }: Checked): Finding[] {
  if (isHint(sent.get('login_hint') ?? '')) return [];
  const problem = 'login_hint can be no email address, and is ignored.';
  return advice('login_hint', problem, 'Send an email address.');
}

/** Its signature is for the server to check. */
function checkIdTokenHint({ sent, client, server }: Checked): Finding[] {
  const hint = sent.get('id_token_hint');
  if (hint === undefined) return [];
  const claims = readClaims(hint);
  const isOwn = claims?.iss === server.issuer && [claims.aud].flat().includes(client.id);
  if (isOwn) return [];
  const problem = 'id_token_hint is not an ID token of this client.';
  const mend = 'Send an ID token of the person from before, or leave it out.';
  return fault('id_token_hint', 'invalid_request', problem, mend);
}

function readClaims(token: string): { iss?: unknown; aud?: unknown } | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}

// What the server keeps of a request while the person signs in must have room in an address.
const MAX_REQUEST_BYTES = 5_900;

function checkLength({ sent, client }: Checked): Finding[] {
  const hint = sent.get('login_hint') ?? '';
  const kept = {
    clientId: client.id,
    redirectUri: sent.get('redirect_uri'),
    codeChallenge: sent.get('code_challenge'),
    scopes: sent.get('scope') === undefined ? client.scopes : readList(sent.get('scope')),
    state: sent.get('state'),
    nonce: sent.get('nonce'),
    prompt: PROMPTS.filter((prompt) => readList(sent.get('prompt')).includes(prompt)),
    ...(sent.get('max_age') !== undefined && { maxAgeSeconds: Number(sent.get('max_age')) }),
    ...(hint !== '' && isHint(hint) && { loginHint: hint }),
    requestedAtMs: Date.now(),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(kept)).length;
  if (bytes <= MAX_REQUEST_BYTES) return [];
  const problem = `The parameters are too long: together they may have some ${MAX_REQUEST_BYTES} bytes.`;
  const mend = 'Keep what is long, and send only its name in state.';
  return [{ answer: 'invalid_request', problem, mend }];
}
