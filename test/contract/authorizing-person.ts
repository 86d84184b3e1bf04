import assert from 'node:assert/strict';
import { consent } from '../oauth/authorizing.ts';
import { type Person, createPerson } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { Visitor, hiddenFields } from '../support/visitor.ts';

const PASSWORD = 'blue kettle on the roof';

// Sign-in, resumption, consent, and what each of them redirects to.
const MAX_STEPS = 10;

/** Somebody with a browser, whom clients send to the server. */
export class AuthorizingPerson {
  readonly person: Person;
  readonly visitor: Visitor;
  /** The pages that were shown, in order. */
  readonly seen: string[] = [];
  readonly #server: TestServer;

  private constructor(server: TestServer, person: Person) {
    this.#server = server;
    this.person = person;
    this.visitor = new Visitor(server);
  }

  static async create(server: TestServer): Promise<AuthorizingPerson> {
    const person = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin'],
      password: PASSWORD,
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    return new AuthorizingPerson(server, person);
  }

  /**
   * Opens the address to which a client sends the browser, signs in where that is asked, and decides.
   * @returns the address at which the browser leaves the server
   */
  async follow(address: URL, decision: 'approve' | 'deny' = 'approve'): Promise<URL> {
    const { origin } = this.#server;
    let next = address;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (next.origin !== origin) return next;
      const answer = await this.#visit(next, decision);
      assert.equal(answer.status, 303, `${next.pathname}: ${answer.text}`);
      next = new URL(answer.headers.get('location') ?? '', origin);
    }
    return assert.fail(`no end: ${this.seen.join(', ')}`);
  }

  async #visit({ pathname, search }: URL, decision: 'approve' | 'deny') {
    this.seen.push(pathname);
    const path = pathname + search;
    if (pathname === '/oauth2/consent') {
      return consent(this.#server, this.visitor, path, decision);
    }
    const answer = await this.visitor.open(path);
    if (pathname !== '/login') return answer;
    const fields = { email: this.person.email, password: PASSWORD };
    return this.visitor.post('/login', { ...hiddenFields(answer.text), ...fields });
  }
}
