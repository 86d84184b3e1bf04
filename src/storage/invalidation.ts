import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { settledWithin } from '../lib/deadline.ts';
import { type PostgresServers, ServerClient } from './postgres-servers.ts';
import type { Db, Transaction } from './schema.ts';

/** Told of trouble that no caller waits for. */
export type ReportTrouble = (error: Error, message: string) => void;

/** "What is cached of this kind under this key is stale." */
export interface Announcement {
  /** The kind of thing, as its domain names it. */
  topic: string;
  key: string;
}

export interface InvalidationListener {
  /** One thing changed. */
  onAnnouncement(announcement: Announcement): void;
  /** Announcements may have been missed: everything cached is suspect. */
  onGap(): void;
}

export interface Invalidation {
  subscribe(listener: InvalidationListener): void;
  /**
   * How long something cached may be trusted without asking the database again: a minute while
   * announcements arrive, one second while the channel is down. A revocation thus takes effect
   * within one second on every node, whatever breaks.
   */
  cacheLifetimeMs(): number;
  /** Part of the transaction: sends the announcements to the other nodes when it commits. */
  enqueue(tx: Transaction, announcements: readonly Announcement[]): Promise<void>;
  /** After the commit: tells this node's own listeners. */
  deliver(announcement: Announcement): void;
  /** Starts listening to the other nodes. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTED_LIFETIME_MS = 60_000;
const DISCONNECTED_LIFETIME_MS = 1_000;
const CHANNEL = 'latchkey_invalidation';
// One round trip each: a change of an account is announced for every one of its members.
const PAYLOADS_PER_STATEMENT = 1_000;
const RECONNECT_MS = 500;
// A broken connection is noticed after at most interval + timeout, within the promised second.
const HEARTBEAT_INTERVAL_MS = 400;
const HEARTBEAT_TIMEOUT_MS = 500;
const CLOSE_TIMEOUT_MS = 500;
/** Of the announcement with which a channel finds out whether it hears anything. */
const PROOF_TOPIC = 'announcement channel';
const PROOF_TIMEOUT_MS = 2_000;
// Nothing but the operator changes that.
const DEAF_RETRY_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

class Listeners {
  readonly #listeners: InvalidationListener[] = [];

  add(listener: InvalidationListener): void {
    this.#listeners.push(listener);
  }

  announce(announcement: Announcement): void {
    for (const listener of this.#listeners) listener.onAnnouncement(announcement);
  }

  gap(): void {
    for (const listener of this.#listeners) listener.onGap();
  }
}

/** For the embedded database, which one process owns: announcements never leave it. */
export function createLocalInvalidation(): Invalidation {
  const listeners = new Listeners();
  return {
    subscribe: (listener) => listeners.add(listener),
    cacheLifetimeMs: () => CONNECTED_LIFETIME_MS,
    enqueue: () => Promise.resolve(),
    deliver: (announcement) => listeners.announce(announcement),
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/**
 * LISTEN/NOTIFY on a connection of its own, re-established for ever.
 * @param servers where it listens: a pooler in transaction mode would keep the announcements to itself
 * @param db where changes are made, and announced
 */
export function createPostgresInvalidation(
  servers: PostgresServers,
  db: Db,
  report: ReportTrouble,
): Invalidation {
  const listeners = new Listeners();
  const channel = new AnnouncementChannel(servers, db, listeners, report);
  return {
    subscribe: (listener) => listeners.add(listener),
    cacheLifetimeMs: () => (channel.isUp ? CONNECTED_LIFETIME_MS : DISCONNECTED_LIFETIME_MS),
    async enqueue(tx, announcements) {
      const payloads = [...new Set(announcements.map((item) => JSON.stringify(item)))];
      for (let start = 0; start < payloads.length; start += PAYLOADS_PER_STATEMENT) {
        const chunk = payloads.slice(start, start + PAYLOADS_PER_STATEMENT);
        await sql`
          select pg_notify(${CHANNEL}, payload) from unnest(${chunk}::text[]) as payload
        `.execute(tx);
      }
    },
    deliver: (announcement) => listeners.announce(announcement),
    start: () => channel.start(),
    close: () => channel.close(),
  };
}

class AnnouncementChannel {
  isUp = false;
  readonly #servers: PostgresServers;
  readonly #db: Db;
  readonly #listeners: Listeners;
  readonly #report: ReportTrouble;
  readonly #stopFollowing: () => void;
  #client: ServerClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  #proof: { key: string; onHeard(): void } | undefined;
  #isDeaf = false;
  #closed = false;

  constructor(servers: PostgresServers, db: Db, listeners: Listeners, report: ReportTrouble) {
    this.#servers = servers;
    this.#db = db;
    this.#listeners = listeners;
    this.#report = report;
    this.#stopFollowing = servers.onMove((address) => {
      const client = this.#client;
      if (client === undefined || client.address === address) return;
      this.#lost(client, new Error(`${address.name} is the new primary`));
    });
  }

  async start(): Promise<void> {
    if (this.#closed) return;
    const client = new ServerClient(this.#servers, {
      applicationName: 'latchkey announcements',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      queryTimeoutMs: HEARTBEAT_TIMEOUT_MS,
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection was closed')));
    client.on('notification', (message) => this.#receive(message.payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (!(await this.#hears())) {
        this.#isDeafNow(client);
        return;
      }
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (this.#client !== client) return;
    this.#isDeaf = false;
    this.isUp = true;
    // Changes made while nobody listened were not heard.
    this.#listeners.gap();
    this.#scheduleHeartbeat(client);
  }

  /**
   * Whether what is announced where changes are made arrives here. It does not through a pooler that
   * lends its connections for one transaction each, nor from another database than this one.
   */
  async #hears(): Promise<boolean> {
    const { promise: heard, resolve: onHeard } = Promise.withResolvers<void>();
    const proof = { key: randomUUID(), onHeard };
    this.#proof = proof;
    const payload = JSON.stringify({ topic: PROOF_TOPIC, key: proof.key });
    await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(this.#db);
    return settledWithin(PROOF_TIMEOUT_MS, heard);
  }

  #isDeafNow(client: ServerClient): void {
    if (this.#client !== client) return;
    this.#drop(client, DEAF_RETRY_MS);
    if (this.#isDeaf) return;
    this.#isDeaf = true;
    this.#report(
      new Error('an announcement did not arrive'),
      'announcements between nodes do not arrive, and cached data expires after one second. If LATCHKEY_DATABASE_URL points to a connection pooler, set LATCHKEY_DATABASE_DIRECT_URL to the database itself',
    );
  }

  #scheduleHeartbeat(client: ServerClient): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => {
          if (this.#client === client) this.#scheduleHeartbeat(client);
        },
        (error: unknown) => this.#lost(client, error as Error),
      );
    }, HEARTBEAT_INTERVAL_MS).unref();
  }

  #receive(payload: string | undefined): void {
    try {
      const announcement = JSON.parse(payload ?? '') as Announcement;
      if (announcement.topic === PROOF_TOPIC) {
        if (announcement.key === this.#proof?.key) this.#proof.onHeard();
        return;
      }
      this.#listeners.announce(announcement);
    } catch (error) {
      this.#report(error as Error, 'failed to parse an announcement');
      this.#listeners.gap();
    }
  }

  #lost(client: ServerClient, error: Error): void {
    if (this.#client !== client) return;
    if (this.isUp && !this.#closed) {
      this.#report(error, 'the announcement channel failed; reconnecting');
    }
    this.#drop(client, RECONNECT_MS);
  }

  /** Begins anew, after a while. */
  #drop(client: ServerClient, waitMs: number): void {
    this.#client = undefined;
    clearTimeout(this.#timer);
    client.end().catch(() => {});
    this.isUp = false;
    if (!this.#closed) this.#timer = setTimeout(() => void this.start(), waitMs).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.isUp = false;
    this.#stopFollowing();
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    const ended = client.end().catch(() => {});
    // A server that has fallen silent does not say goodbye.
    if (!(await settledWithin(CLOSE_TIMEOUT_MS, ended))) client.cut();
  }
}
