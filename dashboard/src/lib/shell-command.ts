// A terminal into which they are pasted takes them for commands of its own.
const CONTROLS = /[^\P{Cc}\t\n\r]+/gu;

/** A text as one word of a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  const quoted = text
    .replaceAll("'", String.raw`'\''`)
    .replaceAll(CONTROLS, (signs) => `'"$(printf '${octal(signs)}')"'`);
  return `'${quoted}'`;
}

function octal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** The variable that commands take the API token from: nobody types it into a history of commands. */
export const TOKEN_VARIABLE = 'TOKEN';

interface ApiRequest {
  url: string;
  /** Of its query, as they are meant: curl encodes them. */
  parameters?: readonly (readonly [name: string, value: string])[];
  /** Default: what curl does with a body, or without. */
  method?: string;
  /** Beside those that every request has. */
  headers?: Readonly<Record<string, string>>;
  /** JSON. */
  body?: string;
  /** Without a token, where none is needed. */
  isAnonymous?: boolean;
  /** The answer is shown as it comes. */
  isStreaming?: boolean;
}

/** The command that sends a request to the API, with the token of {@link TOKEN_VARIABLE}. */
export function apiCommand(request: ApiRequest): string {
  const { url, parameters, method, headers = {}, body, isAnonymous, isStreaming } = request;
  const options = `-sS${isStreaming === true ? 'N' : ''}${parameters === undefined ? '' : 'G'}`;
  return [
    `curl ${options} ${method === undefined ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(isAnonymous === true ? [] : [`-H "Authorization: Bearer $${TOKEN_VARIABLE}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(parameters ?? []).map(
      ([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
}
