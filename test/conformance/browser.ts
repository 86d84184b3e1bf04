import assert from 'node:assert/strict';
import { AuthorizingPerson } from '../contract/authorizing-person.ts';
import { type Answer, type TestServer, request } from '../support/server.ts';
import { setCookies } from '../support/visitor.ts';

const MAX_REDIRECTS = 10;

/** A browser that visits applications and the server, with the cookies of each origin kept apart. */
export class Browser {
  readonly authorizing: AuthorizingPerson;
  readonly #server: TestServer;
  readonly #cookies = new Map<string, Map<string, string>>();

  private constructor(server: TestServer, authorizing: AuthorizingPerson) {
    this.#server = server;
    this.authorizing = authorizing;
  }

  /** @returns a browser of a new user, Ada Lovelace */
  static async create(server: TestServer): Promise<Browser> {
    return new Browser(server, await AuthorizingPerson.create(server));
  }

  /** Opens an address and follows redirects, through sign-in and consent where the server shows them. */
  open(url: string): Promise<Answer> {
    return this.#follow('GET', new URL(url));
  }

  /** Submits a form, or an object as JSON when `json` is set, and follows redirects. */
  post(url: string, fields: Record<string, unknown> = {}, json = false): Promise<Answer> {
    const body = json
      ? JSON.stringify(fields)
      : new URLSearchParams(fields as Record<string, string>).toString();
    const type = json ? 'application/json' : 'application/x-www-form-urlencoded';
    return this.#follow('POST', new URL(url), body, type);
  }

  async #follow(method: string, start: URL, body?: string, type?: string): Promise<Answer> {
    let answer = await this.#send(method, start, body, type);
    let url = start;
    for (let step = 0; step < MAX_REDIRECTS; step++) {
      const location = answer.headers.get('location');
      if (location === null) return answer;
      url = new URL(location, url);
      if (url.origin === this.#server.origin) url = await this.authorizing.follow(url);
      answer = await this.#send('GET', url);
    }
    return assert.fail(`too many redirects, the last one to ${url.href}`);
  }

  async #send(method: string, url: URL, body?: string, type?: string): Promise<Answer> {
    const cookies = this.#cookies.get(url.origin) ?? new Map<string, string>();
    this.#cookies.set(url.origin, cookies);
    const answer = await request(method, url.href, {
      body,
      headers: {
        origin: url.origin,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(type !== undefined && { 'content-type': type }),
      },
    });
    for (const { name, value, attributes } of setCookies(answer)) {
      const expires = attributes.get('expires');
      const isOver = expires !== undefined && Date.parse(expires) <= Date.now();
      if (isOver || attributes.get('max-age') === '0') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
}
