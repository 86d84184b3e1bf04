import assert from 'node:assert/strict';
import { openDatabaseForReading } from '../../../src/storage/database.ts';
import type { Db } from '../../../src/storage/schema.ts';
import type { Installation, ServerProcess } from '../../support/server-process.ts';
import { type Answer, type CallOptions, type Json, request } from '../../support/server.ts';
import type { Random } from '../random.ts';
import type { AuditLedger } from './audit-ledger.ts';

/** A request has no answer that tells what came of it: the server, or its database, has gone away. */
export class NoAnswer extends Error {
  /** Whether the server may have had the request. */
  readonly wasSent: boolean;

  constructor(cause: unknown) {
    super('no answer', { cause });
    this.wasSent = (cause as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  }
}

/** What all loads of one run have in common. */
export type LoadParts = Pick<Load, 'installation' | 'audit' | 'personAudit' | 'chance'>;

/** The requests to one server, until it is killed. */
export class Load {
  readonly server: ServerProcess;
  readonly installation: Installation;
  /** Of the account. */
  readonly audit: AuditLedger;
  /** Of the one person there is. */
  readonly personAudit: AuditLedger;
  readonly chance: Random;
  answers = 0;
  /** Answers that tell nothing: the database did not answer the server in time. */
  unavailable = 0;
  readonly #onAnswer: (answers: number) => void;

  /** @param onAnswer told the count of all answers, with each of them */
  constructor(
    server: ServerProcess,
    { installation, audit, personAudit, chance }: LoadParts,
    onAnswer: (answers: number) => void = () => {},
  ) {
    this.server = server;
    this.installation = installation;
    this.audit = audit;
    this.personAudit = personAudit;
    this.chance = chance;
    this.#onAnswer = onAnswer;
  }

  /**
   * One request with the first token to a path below the account, or below the server's origin.
   * @throws NoAnswer also for 503: whether a commit was lost on the way, the server cannot know
   */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { origin, account } = this.server;
    const isBelowOrigin = path.startsWith('/oauth2') || path.startsWith('/client/');
    const url = (isBelowOrigin ? origin : account) + path;
    let answer: Answer;
    try {
      answer = await request(method, url, { token: this.installation.token, ...options });
    } catch (error) {
      throw new NoAnswer(error);
    }
    if (answer.status === 503) {
      this.unavailable++;
      throw new NoAnswer(new Error(answer.text));
    }
    this.#onAnswer(++this.answers);
    return answer;
  }

  /** A call that must work; answers its result. */
  async result(method: string, path: string, options: CallOptions = {}): Promise<Json> {
    const answer = await this.call(method, path, options);
    assertAnswered(answer, method, path);
    return answer.json?.result;
  }

  /** A change that must work, and must stand in the audit log. */
  async change(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.call(method, path, options);
    assertAnswered(answer, method, path);
    this.audit.acknowledge(answer);
    return answer;
  }

  /** Reads beside the server. Nothing stays open: a reader that lived on would spare the next start work. */
  async reading<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return readDatabase(this.installation, work);
  }

  /** Every item of a list that has pages by number. */
  async all(path: string): Promise<Json[]> {
    const items: Json[] = [];
    for (let page = 1; ; page++) {
      const separator = path.includes('?') ? '&' : '?';
      const answer = await this.call('GET', `${path}${separator}page=${page}&per_page=50`);
      assertAnswered(answer, 'GET', path);
      items.push(...answer.json.result);
      const { total_count: count } = answer.json.result_info;
      if (items.length >= count || answer.json.result.length === 0) return items;
    }
  }
}

/** Reads the database, with or without a server beside. */
export async function readDatabase<T>(
  { dataDir, postgresUrl }: Installation,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const opened = openDatabaseForReading({ databaseUrl: postgresUrl, dataDir }, (error) => {
    throw error;
  });
  try {
    return await work(opened.read);
  } finally {
    await opened.close();
  }
}

/** Demands that a call has worked. */
export function assertAnswered(answer: Answer, method: string, path: string): void {
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
}

/** Orders pairs by their names, as the API orders texts. */
export function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What was asked for, and what came of it: figures of the report. */
export class Tally {
  acknowledged = 0;
  refused = 0;
  /** Sent, and not answered. */
  inDoubt = 0;
  /** So many of those were found made. */
  made = 0;
}

/** Writes one kind of thing for as long as the server answers, and knows what must be there then. */
export interface Writer {
  readonly name: string;
  readonly tally: Tally;
  /** How many writes are under way at once. */
  readonly lanes: number;
  /** One write, or a few that belong together. @throws NoAnswer */
  write(load: Load): Promise<void>;
  /**
   * Looks at what a new server has, demands that it is what was acknowledged, and finds out what was
   * made of that which was in doubt. From then on nothing is in doubt.
   */
  settle(load: Load, death: Death): Promise<void>;
}

/** How the server before ended. */
export interface Death {
  signal: 'SIGKILL' | 'SIGTERM';
  /** When the signal was sent, by `performance.now()`. */
  atMs: number;
}
