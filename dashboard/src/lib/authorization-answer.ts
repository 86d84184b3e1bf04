import { readParameters } from './sent-parameters.ts';

/** What an application knows of the request that it expects an answer to. */
export interface ExpectedAnswer {
  redirectUri: string;
  state: string;
  issuer: string;
}

/** A part of an answer, and what it means. */
export interface AnswerPart {
  name: string;
  value: string;
  isGood: boolean;
  meaning: string;
}

/** What the address says with which a person came back. */
export interface ReadAnswer {
  parts: readonly AnswerPart[];
  /** Only of an answer that an application may take. */
  code: string | undefined;
}

// RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2.
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'The person has said no.'],
  ['login_required', 'The person would have to sign in, and the request forbids to ask.'],
  ['consent_required', 'The person would have to consent, and the request forbids to ask.'],
  ['invalid_scope', 'A scope is unknown, or the client is not registered for it.'],
  ['invalid_request', 'Something in the request is missing, repeated or malformed.'],
  ['invalid_target', 'resource names a place that is not on this server.'],
  ['unsupported_response_type', 'response_type must be code.'],
  ['unauthorized_client', 'The client may not do this.'],
  ['server_error', 'Something went wrong on the server. Its log says what.'],
  ['temporarily_unavailable', 'The server could not do it now. Try again later.'],
]);

/** Explains the address that a person came back to. */
export function readAnswer(text: string, expected: ExpectedAnswer): ReadAnswer {
  const written = text.trim();
  const url = URL.parse(written);
  if (url === null) {
    const meaning = 'This is no address. Copy all of what the address bar of the browser holds.';
    return {
      parts: [{ name: 'Address', value: written, isGood: false, meaning }],
      code: undefined,
    };
  }
  if (url.origin === expected.issuer) return stillHere(written);
  const sent = readParameters(url.search.slice(1));
  const code = sent.get('code');
  const error = sent.get('error');
  const parts = [
    readPlace(written, expected),
    ...(error === undefined ? [readCode(code)] : readError(error, sent.get('error_description'))),
    readState(sent.get('state'), expected),
    readIssuer(sent.get('iss'), expected),
    ...sent.repeated.map((name) => ({
      name,
      value: '',
      isGood: false,
      meaning: 'It is there twice. An application must not guess which one is meant.',
    })),
  ];
  const isTaken = error === undefined && parts.every(({ isGood }) => isGood);
  return { parts, code: isTaken ? code : undefined };
}

function stillHere(value: string): ReadAnswer {
  const meaning =
    'You are still on this server, and not back at the application: sign in, and approve or deny. If a page here says that the request cannot be answered, check the address below.';
  return { parts: [{ name: 'Address', value, isGood: false, meaning }], code: undefined };
}

function readPlace(written: string, { redirectUri }: ExpectedAnswer): AnswerPart {
  const place = written.split('#')[0] ?? '';
  const isGood =
    place.startsWith(redirectUri) && /^[?&]/.test(place.slice(redirectUri.length) || '?');
  return {
    name: 'Address',
    value: written.split('?')[0] ?? '',
    isGood,
    meaning: isGood
      ? 'The redirect URI of the request.'
      : `Not the redirect URI of the request, which is ${redirectUri}.`,
  };
}

function readCode(code: string | undefined): AnswerPart {
  return {
    name: 'code',
    value: code ?? '',
    isGood: code !== undefined,
    meaning:
      code === undefined
        ? 'There is neither a code nor an error: this is no answer of the server.'
        : 'The person has said yes. It works once, within a minute.',
  };
}

function readError(error: string, description: string | undefined): AnswerPart[] {
  const meaning = ERRORS.get(error) ?? 'The server could not do what the request asks for.';
  const told: AnswerPart = { name: 'error', value: error, isGood: false, meaning };
  if (description === undefined) return [told];
  const words = 'What the server says about it, for the developer.';
  return [told, { name: 'error_description', value: description, isGood: false, meaning: words }];
}

function readState(state: string | undefined, expected: ExpectedAnswer): AnswerPart {
  const isGood = state === expected.state;
  const meaning = isGood
    ? 'The one that was sent, so this is the answer to the request above.'
    : `${state === undefined ? 'It is missing' : 'Not the one that was sent'}: an application must not take this answer. Somebody else may have begun it.`;
  return { name: 'state', value: state ?? '', isGood, meaning };
}

/** RFC 9207 section 2.4. */
function readIssuer(iss: string | undefined, { issuer }: ExpectedAnswer): AnswerPart {
  const isGood = iss === issuer;
  const meaning = isGood
    ? 'This server, so no other one has given the answer in its name.'
    : `${iss === undefined ? 'It is missing' : 'Not this server'}: it must be ${issuer}, or an application must not take this answer.`;
  return { name: 'iss', value: iss ?? '', isGood, meaning };
}
