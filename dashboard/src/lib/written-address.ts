import type { Finding } from './authorization-url.ts';
import type { SentParameters } from './sent-parameters.ts';

/** Every parameter that the server reads. */
const KNOWN = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'resource',
  'request',
  'request_uri',
  'registration',
];

/** Other names that they go by elsewhere. */
const MISTAKEN: ReadonlyMap<string, string> = new Map([
  ['scopes', 'scope'],
  ['client', 'client_id'],
  ['redirect_url', 'redirect_uri'],
  ['redirect', 'redirect_uri'],
  ['callback', 'redirect_uri'],
  ['callback_url', 'redirect_uri'],
  ['code_challenge_methods', 'code_challenge_method'],
  ['pkce_challenge', 'code_challenge'],
  ['audience', 'resource'],
]);

// RFC 3986 section 2: every character that an address may have.
const NOT_OF_ADDRESSES = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu;
const MOST_SHOWN = 5;

/** Advice about how an address is written, whatever it says. */
export function writingFindings(text: string, sent: SentParameters): Finding[] {
  return [
    ...findFragment(text),
    ...findUnencoded(text),
    ...findBrokenEscapes(text),
    ...findPluses(sent),
    ...findSecret(sent),
    ...sent.names.flatMap((name) => findMistakenName(name, sent)),
  ];
}

function findFragment(text: string): Finding[] {
  if (!text.includes('#')) return [];
  return [
    {
      problem:
        "The URL can't contain a fragment (#…). Browsers never send fragments to the server.",
      mend: 'Remove it. Inside a value, write # as %23.',
    },
  ];
}

function findUnencoded(text: string): Finding[] {
  const odd = [...new Set(text.match(NOT_OF_ADDRESSES))].slice(0, MOST_SHOWN);
  if (odd.length === 0) return [];
  return [
    {
      problem: `The URL contains invalid characters: ${odd.map(nameOf).join(', ')}.`,
      mend: 'Percent-encode every value. Browsers repair some of these characters, but other programs cut the URL there.',
    },
  ];
}

function nameOf(character: string): string {
  if (/[\n\r]/.test(character)) return 'a line break';
  return /\s/.test(character) ? 'a space' : character;
}

function findBrokenEscapes(text: string): Finding[] {
  const [broken] = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text) ?? [];
  if (broken === undefined) return [];
  const problem = `Two hex digits must follow the % in “${broken}”.`;
  return [{ problem, mend: 'Write % itself as %25.' }];
}

/** What is percent-encoded anywhere was encoded by something that knows what a plus means. */
function findPluses({ query }: SentParameters): Finding[] {
  return ['state', 'nonce', 'redirect_uri', 'login_hint'].flatMap((parameter) => {
    const written = query.split('&').find((pair) => pair.startsWith(`${parameter}=`));
    if (written?.includes('+') !== true || written.includes('%')) return [];
    const problem = `${parameter} contains a +, which the server reads as a space.`;
    return [{ parameter, problem, mend: 'Write %2B for a plus and %20 for a space.' }];
  });
}

function findSecret({ names }: SentParameters): Finding[] {
  if (!names.includes('client_secret')) return [];
  return [
    {
      parameter: 'client_secret',
      problem: 'The URL contains a client secret, visible to every user who opens it.',
      mend: 'Remove it and rotate the secret. Send the secret only to the token endpoint.',
    },
  ];
}

function findMistakenName(name: string, sent: SentParameters): Finding[] {
  if (KNOWN.includes(name)) return [];
  if (name.startsWith('amp;')) {
    const problem = `“${name}” is not a parameter. The & before it was written for HTML, as &amp;.`;
    return [{ parameter: name, problem, mend: 'Write & alone.' }];
  }
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const meant = MISTAKEN.get(name) ?? KNOWN.find((known) => bare(known) === bare(name));
  if (meant === undefined || sent.get(meant) !== undefined) return [];
  const problem = `“${name}” is not a parameter and is ignored.`;
  return [{ parameter: name, problem, mend: `The correct name is ${meant}.` }];
}
