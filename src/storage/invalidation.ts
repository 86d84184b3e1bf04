import { sql } from 'kysely';
import pg from 'pg';
import { settledWithin } from '../lib/deadline.ts';
import { postgresConnection } from './postgres.ts';
import type { Transaction } from './schema.ts';

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

/** LISTEN/NOTIFY on a connection of its own, re-established for ever. */
export function createPostgresInvalidation(
  connectionString: string,
  report: ReportTrouble,
): Invalidation {
  const listeners = new Listeners();
  const channel = new AnnouncementChannel(connectionString, listeners, report);
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
  readonly #connectionString: string;
  readonly #listeners: Listeners;
  readonly #report: ReportTrouble;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(connectionString: string, listeners: Listeners, report: ReportTrouble) {
    this.#connectionString = connectionString;
    this.#listeners = listeners;
    this.#report = report;
  }

  async start(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client({
      ...postgresConnection(this.#connectionString),
      application_name: 'latchkey announcements',
      query_timeout: HEARTBEAT_TIMEOUT_MS,
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection was closed')));
    client.on('notification', (message) => this.#receive(message.payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (this.#client !== client) return;
    this.isUp = true;
    // Changes made while nobody listened were not heard.
    this.#listeners.gap();
    this.#scheduleHeartbeat(client);
  }

  #scheduleHeartbeat(client: pg.Client): void {
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
      this.#listeners.announce(announcement);
    } catch (error) {
      this.#report(error as Error, 'an announcement could not be read');
      this.#listeners.gap();
    }
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    client.end().catch(() => {});
    if (this.#closed) return;
    if (this.isUp) this.#report(error, 'the announcement channel broke; reconnecting');
    this.isUp = false;
    this.#timer = setTimeout(() => void this.start(), RECONNECT_MS).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.isUp = false;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    const ended = client.end().catch(() => {});
    // A server that has fallen silent does not say goodbye.
    if (!(await settledWithin(CLOSE_TIMEOUT_MS, ended))) client.connection.stream.destroy();
  }
}
