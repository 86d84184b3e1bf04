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
    const mend = `Remove it. To keep parameters out of the URL, push them to ${server.issuer}/oauth2/par.`;
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
  const problem = `The response type “${type}” is not supported. This server never returns tokens in a URL.`;
  return fault('response_type', 'unsupported_response_type', problem, mend);
}

function checkResponseMode({ sent }: Checked): Finding[] {
  const mode = sent.get('response_mode') ?? 'query';
  if (mode === 'query') return [];
  if (mode !== 'form_post') {
    const problem = `The response mode “${mode}” is not supported.`;
    return fault('response_mode', 'invalid_request', problem, 'Send query or form_post.');
  }
  if (/^https?:/i.test(sent.get('redirect_uri') ?? '')) return [];
  const problem = 'The response mode form_post requires an http or https redirect URI.';
  return fault('response_mode', 'invalid_request', problem, 'Remove it, or send query.');
}

function checkResource({ sent, server }: Checked): Finding[] {
  const bare = (uri: string): string => (uri.endsWith('/') ? uri.slice(0, -1) : uri);
  const known = server.resourceServers.map(bare);
  const mend = `Remove it, or send ${server.resourceServers.join(' or ')}.`;
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
      ? 'code_challenge_method is missing and would default to plain.'
      : `The method “${method}” is not supported${method === 'plain' ? ': anyone who sees the URL can read the verifier' : ''}.`;
  return [...fault('code_challenge_method', 'invalid_request', problem, ONLY_S256), ...findings];
}

const MAKE_CHALLENGE =
  'Use the SHA-256 hash of the verifier, base64url-encoded without padding: 43 letters, digits, hyphens or underscores.';

function describeChallenge(challenge: string): string {
  if (/[ +/=]/.test(challenge)) {
    return 'code_challenge contains +, / or =, so it is base64 and not base64url without padding.';
  }
  return challenge.length === CHALLENGE_LENGTH
    ? 'code_challenge contains characters that are not base64url.'
    : `code_challenge has ${challenge.length} characters. A SHA-256 hash in base64url has 43.`;
}

function checkNoChallenge(method: string | undefined, isPublic: boolean): Finding[] {
  if (method !== undefined) {
    const problem = 'The request has a code_challenge_method but no code_challenge.';
    return fault('code_challenge', 'invalid_request', problem, MAKE_CHALLENGE);
  }
  return isPublic
    ? fault(
        'code_challenge',
        'invalid_request',
        'code_challenge is missing. Clients without a secret must use PKCE.',
        ONLY_S256,
      )
    : advice(
        'code_challenge',
        "The request doesn't use PKCE, so a leaked code could be used by an attacker.",
        'PKCE is optional for clients with a secret. Send a code_challenge anyway.',
      );
}

const PROTOCOL_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'];

// The server ignores such a scope if the client has not registered it.
const OPENID_SCOPE = /^[!#-+\-/-9;-[\]-~]+$/;

function checkScope(checked: Checked): Finding[] {
  const { sent, client } = checked;
  const asked = sent.get('scope');
  if (asked === undefined) {
    const problem = 'scope is missing. The request asks for every scope of the client.';
    return advice(
      'scope',
      problem,
      'Request only the scopes that you need. Users approve shorter lists more readily.',
    );
  }
  const scopes = readList(asked);
  if (scopes.length === 0) {
    return fault(
      'scope',
      'invalid_scope',
      'scope is empty.',
      'Name a scope, or remove the parameter.',
    );
  }
  const unregistered = scopes.filter((scope) => !client.scopes.includes(scope));
  const ignored = unregistered.filter((scope) => OPENID_SCOPE.test(scope));
  if (ignored.length === scopes.length) {
    const problem = 'The client is registered for none of these scopes.';
    const mend = 'Request a scope of the client, such as openid.';
    return fault('scope', 'invalid_scope', problem, mend);
  }
  return [
    ...unregistered
      .filter((scope) => !ignored.includes(scope))
      .flatMap((scope) => fault('scope', 'invalid_scope', ...explainScope(scope, checked))),
    ...ignored.flatMap((scope) => {
      const [problem, mend] = explainScope(scope, checked);
      return advice('scope', `${problem} The server ignores it.`, mend);
    }),
  ];
}

function explainScope(scope: string, { client, server }: Checked): [problem: string, mend: string] {
  const isKnown = (id: string): boolean =>
    PROTOCOL_SCOPES.includes(id) || server.knownScopes.includes(id);
  if (scope === 'offline_access' && !client.hasRefreshTokens) {
    const problem =
      "The client can't request offline_access because it is not registered for refresh tokens.";
    return [problem, 'Remove it, or add refresh_token to the grant types of the client.'];
  }
  if (isKnown(scope)) {
    const problem = `The client is not registered for the scope ${scope}.`;
    return [problem, 'Remove it, or add it to the scopes of the client.'];
  }
  if (scope.includes(',')) {
    const problem = `The scope “${scope}” doesn't exist.`;
    return [problem, 'Separate scopes with spaces, not commas.'];
  }
  const dotted = scope.replaceAll(':', '.');
  if (dotted !== scope) {
    const mend = isKnown(dotted) ? `Write ${dotted}.` : `The scope ${dotted} doesn't exist either.`;
    return [`The scope ${scope} contains colons. Scope names use dots.`, mend];
  }
  const lower = scope.toLowerCase();
  const mend = isKnown(lower)
    ? `Write ${lower}.`
    : 'Remove it, or find the name in the list of scopes.';
  return [`The scope “${scope}” doesn't exist.`, mend];
}

function checkState({ sent }: Checked): Finding[] {
  if (sent.get('state') !== undefined) return [];
  const problem = "state is missing, so your application can't verify that it started the request.";
  return advice(
    'state',
    problem,
    'Send a random value for each user, and compare it with the response.',
  );
}

function checkNonce({ sent }: Checked): Finding[] {
  if (!/\p{Cc}/u.test(sent.get('nonce') ?? '')) return [];
  const problem = 'nonce contains a control character.';
  return fault('nonce', 'invalid_request', problem, 'Use letters and digits.');
}

const PROMPTS = ['none', 'login', 'consent', 'select_account'];

function checkPrompt({ sent }: Checked): Finding[] {
  const values = readList(sent.get('prompt'));
  if (values.includes('none') && values.length > 1) {
    const problem = 'prompt=none cannot be combined with other values.';
    return fault('prompt', 'invalid_request', problem, 'Send it alone, or remove it.');
  }
  const unknown = values.find((value) => !PROMPTS.includes(value));
  if (unknown === undefined) return [];
  const problem = `prompt=${unknown} is not supported.`;
  return fault('prompt', 'invalid_request', problem, `Supported values: ${PROMPTS.join(', ')}.`);
}

function checkMaxAge({ sent }: Checked): Finding[] {
  const maxAge = sent.get('max_age');
  if (maxAge === undefined || /^[0-9]{1,10}$/.test(maxAge)) return [];
  const problem = 'max_age is not a whole number of seconds.';
  return fault(
    'max_age',
    'invalid_request',
    problem,
    'Send a number such as 3600, or remove the parameter.',
  );
}

// RFC 5321 section 4.5.3.1: no address is longer.
const MAX_HINT_LENGTH = 254;

function isHint(hint: string): boolean {
  return hint.length <= MAX_HINT_LENGTH && !/\p{Cc}/u.test(hint);
}

function checkLoginHint({ sent }: Checked): Finding[] {
  if (isHint(sent.get('login_hint') ?? '')) return [];
  const problem = 'login_hint is not an email address and is ignored.';
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
  const mend = 'Send an earlier ID token of the user, or remove the parameter.';
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

function keptScopes({ sent, client }: Checked): string[] {
  return readList(sent.get('scope')).filter((scope) => client.scopes.includes(scope));
}

// What the server keeps of a request while the person signs in must have room in an address.
const MAX_REQUEST_BYTES = 5_900;

function checkLength(checked: Checked): Finding[] {
  const { sent, client } = checked;
  const hint = sent.get('login_hint') ?? '';
  const kept = {
    clientId: client.id,
    redirectUri: sent.get('redirect_uri'),
    responseMode: sent.get('response_mode') ?? 'query',
    codeChallenge: sent.get('code_challenge'),
    scopes: sent.get('scope') === undefined ? client.scopes : keptScopes(checked),
    state: sent.get('state'),
    nonce: sent.get('nonce'),
    prompt: PROMPTS.filter((prompt) => readList(sent.get('prompt')).includes(prompt)),
    ...(sent.get('max_age') !== undefined && { maxAgeSeconds: Number(sent.get('max_age')) }),
    ...(hint !== '' && isHint(hint) && { loginHint: hint }),
    requestedAtMs: Date.now(),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(kept)).length;
  if (bytes <= MAX_REQUEST_BYTES) return [];
  const problem = `The parameters are too long. The limit is ${MAX_REQUEST_BYTES} bytes in total.`;
  const mend = 'Store long values in your application, and send only a reference in state.';
  return [{ answer: 'invalid_request', problem, mend }];
}
