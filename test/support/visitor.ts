import assert from 'node:assert/strict';
import { type Answer, type TestServer, request } from './server.ts';

/** One `set-cookie` header, taken apart. */
export interface SetCookie {
  name: string;
  value: string;
  /** Lower-case names; those without a value have an empty one. */
  attributes: Map<string, string>;
}

export function setCookies(answer: Answer): SetCookie[] {
  return answer.headers.getSetCookie().map((line) => {
    const [pair = '', ...rest] = line.split(/; */);
    const equals = pair.indexOf('=');
    const attributes = rest.map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.toLowerCase(), value] as const;
    });
    return {
      name: pair.slice(0, equals),
      value: pair.slice(equals + 1),
      attributes: new Map(attributes),
    };
  });
}

/** Somebody with a browser: it keeps cookies, and sends the CSRF token as our own pages do. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #server: Pick<TestServer, 'baseUrl' | 'origin'>;
  /** Behind a proxy, so that each may have an address of its own. */
  readonly #headers: Record<string, string>;

  /** @param ip with a server that trusts the proxy 127.0.0.1 */
  constructor(server: Pick<TestServer, 'baseUrl' | 'origin'>, ip?: string) {
    this.#server = server;
    this.#headers = ip === undefined ? {} : { 'x-forwarded-for': ip };
  }

  /** The value of a cookie, whether or not its name carries the prefix of https. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name) ?? this.cookies.get(`__Host-${name}`);
  }

  /** A request to the management API. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const csrf = this.cookie('latchkey_csrf');
    return this.#send(method, this.#server.baseUrl + path, body, {
      ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
      ...headers,
    });
  }

  signIn(email: string, password: string): Promise<Answer> {
    return this.call('POST', '/user/sessions', { email, password });
  }

  /** Opens a page. */
  open(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('GET', this.#server.origin + path, undefined, headers);
  }

  /** Sends a form as it is. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.#send('POST', this.#server.origin + path, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });
  }

  /** Opens a page and fills in its form: the hidden fields go along. */
  async submit(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const page = await this.open(path);
    const [target = ''] = path.split('?');
    return this.post(target, { ...hiddenFields(page.text), ...fields }, headers);
  }

  async #send(
    method: string,
    url: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await request(method, url, {
      body,
      headers: { ...this.#headers, ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    for (const { name, value, attributes } of setCookies(answer)) {
      if (attributes.get('max-age') === '0') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The hidden fields of the forms in a page. */
export function hiddenFields(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(
    [...inputs].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
    ]),
  );
}

/** The heading of a page, and what it says went wrong. */
export function readPage(answer: Answer) {
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8', answer.text);
  const textOf = (pattern: RegExp) =>
    pattern
      .exec(answer.text)?.[1]
      ?.replaceAll(/<[^>]+>/g, '')
      .trim();
  return {
    status: answer.status,
    title: textOf(/<h1[^>]*>([^]*?)<\/h1>/),
    error: textOf(/<p class="error" role="alert" id="error">([^]*?)<\/p>/),
  };
}

/** Where an answer sends the browser. */
export function redirectOf({ status, headers }: Answer) {
  return [status, headers.get('location')];
}
