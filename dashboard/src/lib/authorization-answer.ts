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
  ['access_denied', 'The user denied the request.'],
  ['login_required', "The user is not signed in, and prompt=none doesn't allow a sign-in page."],
  ['consent_required', "The user has not consented, and prompt=none doesn't allow a consent page."],
  ['invalid_scope', 'A scope is unknown, or the client is not registered for it.'],
  ['invalid_request', 'A request parameter is missing, repeated or malformed.'],
  ['invalid_target', 'The resource parameter names a resource that is not on this server.'],
  ['unsupported_response_type', 'response_type must be code.'],
  ['unauthorized_client', 'The client is not allowed to make this request.'],
  ['server_error', 'The server failed. See the server log for the cause.'],
  ['temporarily_unavailable', 'The server is temporarily unavailable. Try again later.'],
]);

/** Explains the address that a person came back to. */
export function readAnswer(text: string, expected: ExpectedAnswer): ReadAnswer {
  const written = text.trim();
  const url = URL.parse(written);
  if (url === null) {
    const meaning = 'This is not a URL. Copy the complete URL from the address bar of the browser.';
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
      meaning: 'Duplicate parameter: its value is ambiguous.',
    })),
  ];
  const isTaken = error === undefined && parts.every(({ isGood }) => isGood);
  return { parts, code: isTaken ? code : undefined };
}

function stillHere(value: string): ReadAnswer {
  const meaning =
    'This URL is a page of this server, not of the application. Sign in and approve or deny the request. If the page reports an invalid request, check the URL below.';
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
      ? 'Matches the redirect URI of the request.'
      : `Not the redirect URI of the request, ${redirectUri}.`,
  };
}

function readCode(code: string | undefined): AnswerPart {
  return {
    name: 'code',
    value: code ?? '',
    isGood: code !== undefined,
    meaning:
      code === undefined
        ? 'The URL contains neither a code nor an error, so it is not an authorization response.'
        : 'The user approved the request. The code works once, within a minute.',
  };
}

function readError(error: string, description: string | undefined): AnswerPart[] {
  const meaning = ERRORS.get(error) ?? "The server can't process the request.";
  const told: AnswerPart = { name: 'error', value: error, isGood: false, meaning };
  if (description === undefined) return [told];
  const words = 'Error description for developers.';
  return [told, { name: 'error_description', value: description, isGood: false, meaning: words }];
}

function readState(state: string | undefined, expected: ExpectedAnswer): AnswerPart {
  const isGood = state === expected.state;
  const meaning = isGood
    ? 'Matches the state of the request above.'
    : `${state === undefined ? 'The state is missing' : 'The state differs from the request'}. The application must not accept this response, because another person may have started the request.`;
  return { name: 'state', value: state ?? '', isGood, meaning };
}

/** RFC 9207 section 2.4. */
function readIssuer(iss: string | undefined, { issuer }: ExpectedAnswer): AnswerPart {
  const isGood = iss === issuer;
  const meaning = isGood
    ? 'Identifies this server as the issuer of the response.'
    : `${iss === undefined ? 'The issuer is missing' : 'Not this server'}: it must be ${issuer}. Otherwise, the application must not accept the response.`;
  return { name: 'iss', value: iss ?? '', isGood, meaning };
}
