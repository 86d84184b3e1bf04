/** A text as one word of a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The variable that commands take the API token from: nobody types it into a history of commands. */
export const TOKEN_VARIABLE = 'TOKEN';

interface ApiRequest {
  url: string;
  /** Default: what curl does with a body, or without. */
  method?: string;
  /** JSON. */
  body?: string;
}

/** The command that sends a request to the API, with the token of {@link TOKEN_VARIABLE}. */
export function apiCommand({ url, method, body }: ApiRequest): string {
  return [
    `curl -sS ${method === undefined ? '' : `-X ${method} `}${shellWord(url)}`,
    `-H "Authorization: Bearer $${TOKEN_VARIABLE}"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
}
