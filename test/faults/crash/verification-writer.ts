import assert from 'node:assert/strict';
import { createId } from '../../../src/lib/ids.ts';
import { LOOK_UP_LEASE_MS } from '../../../src/oauth/verification/verification-store.ts';
import { clientBody } from '../../oauth/client-bodies.ts';
import type { DnsServer } from '../../support/dns-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { Json } from '../../support/server.ts';
import { type Load, NoAnswer, Tally, type Writer, assertAnswered } from './load.ts';

const NAME = 'verified-client';
const ROOM = 12;
// After the lease of a look-up that was cut off there may be a gap of 20 times the shortest, which is
// one second here, and a round.
const GOES_ON_MS = LOOK_UP_LEASE_MS + 30_000;

/** A client whose host must be verified, once. */
interface Publisher {
  host: string;
  /** How often the server may have been killed while it looked the host up. */
  deaths: number;
}

interface Creation {
  host: string;
  key: string;
  publish: (text: string) => void;
}

/** Creates clients whose hosts have the record that is asked for, some of them not at the first look. */
export class VerificationWriter implements Writer {
  readonly name = 'host verifications';
  readonly tally = new Tally();
  readonly lanes = 1;
  readonly #dns: DnsServer;
  /** By client id. */
  readonly #publishers = new Map<string, Publisher>();
  #creations: Creation[] = [];
  /** How many clients were seen verified, each by one look that counted. */
  verified = 0;

  constructor(dns: DnsServer) {
    this.#dns = dns;
  }

  async write(load: Load): Promise<void> {
    if (this.#publishers.size >= ROOM) await this.#look(load);
    else await this.#create(load, this.#publishHost(load.chance.fraction() < 0.5));
  }

  /** Any request: there is nothing to write until some of the hosts are verified. */
  async #look(load: Load): Promise<void> {
    await load.result('GET', '/oauth_clients');
  }

  /** A host that tells the text once it is known, to those who ask once or twice. */
  #publishHost(isLate: boolean): Creation {
    const host = `h${createId()}.example`;
    const { promise, resolve: publish } = Promise.withResolvers<string>();
    let isFirst = isLate;
    this.#dns.set(host, async () => {
      const txt = [await promise];
      const isMissing = isFirst;
      isFirst = false;
      return { txt: isMissing ? [] : txt };
    });
    return { host, key: createId(), publish };
  }

  async #create(load: Load, creation: Creation): Promise<void> {
    const { host, key } = creation;
    try {
      const body = clientBody({ client_name: NAME, client_uri: `https://${host}/` });
      const headers = { 'idempotency-key': key };
      const answer = await load.call('POST', '/oauth_clients', { body, headers });
      assertAnswered(answer, 'POST', '/oauth_clients');
      const { client_id: id, client_uri_verification: verification } = answer.json.result;
      if (answer.headers.has('idempotency-replayed')) {
        this.tally.made++;
        load.audit.wasMade(id);
      } else {
        this.tally.acknowledged++;
        load.audit.acknowledge(answer);
      }
      this.#publishers.set(id, { host, deaths: 0 });
      creation.publish(verification.text);
    } catch (error) {
      if (error instanceof NoAnswer) {
        if (error.wasSent) this.tally.inDoubt++;
        this.#creations.push(creation);
      }
      throw error;
    }
  }

  async settle(load: Load): Promise<void> {
    for (const publisher of this.#publishers.values()) publisher.deaths++;
    for (const creation of this.#creations.splice(0)) await this.#create(load, creation);
    await this.#takeVerified(load);
  }

  /** Looks through the clients, and deletes those that are verified. */
  async #takeVerified(load: Load): Promise<void> {
    const all: Json[] = await load.result('GET', '/oauth_clients');
    const own = all.filter(({ client_name: name }) => name === NAME);
    assert.deepEqual(
      new Set(own.map(({ client_id: id }) => id)),
      new Set(this.#publishers.keys()),
      'not the clients that were answered',
    );
    for (const { client_id: id, client_uri_verification: verification } of own) {
      if (verification.status === 'verified') await this.#end(load, id);
      else assert.match(verification.status, /^(pending|in_progress)$/);
    }
  }

  async #end(load: Load, id: string): Promise<void> {
    const publisher = this.#publishers.get(id);
    assert.ok(publisher);
    const types = await load.reading(async (db) => {
      const rows = await db
        .selectFrom('audit_logs')
        .select('action_type')
        .where('chain_id', '=', load.installation.accountId)
        .where('resource_id', '=', id)
        .orderBy('seq')
        .execute();
      return rows.map(({ action_type: type }) => type);
    });
    assert.deepEqual(types, ['create', 'verify'], 'each verification is made once');
    // In vain, in success, and once or twice more for each crash that cut one off.
    const { host, deaths } = publisher;
    const asked = this.#dns.asked(host);
    assert.ok(
      asked <= 2 + 2 * deaths,
      `${host} was asked about ${asked} times in ${deaths} deaths`,
    );
    await load.change('DELETE', `/oauth_clients/${id}`);
    this.#publishers.delete(id);
    this.verified++;
  }

  /**
   * Waits until every host is verified: the schedule goes on after whatever crash.
   * @param isPatient whether to wait for look-ups too that a crash has cut off, whose leases must end
   */
  async finish(load: Load, isPatient: boolean): Promise<void> {
    const what = 'every host is verified';
    await eventually(what, () => this.#areVerified(load, isPatient), GOES_ON_MS);
  }

  async #areVerified(load: Load, isPatient: boolean): Promise<boolean> {
    await this.#takeVerified(load);
    if (isPatient) return this.#publishers.size === 0;
    const leases = await load.reading((db) =>
      db
        .selectFrom('oauth_client_verifications')
        .select('lease_until')
        .where('client_id', 'in', ['', ...this.#publishers.keys()])
        .execute(),
    );
    return leases.every(
      ({ lease_until: untilMs }) => untilMs !== null && untilMs <= Date.now() + LOOK_UP_LEASE_MS,
    );
  }
}
