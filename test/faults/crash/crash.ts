import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CliProcess, runCli } from '../../support/cli.ts';
import type { TestDatabase } from '../../support/databases.ts';
import { DnsServer } from '../../support/dns-server.ts';
import type { Random } from '../random.ts';
import { request } from '../../support/server.ts';
import {
  type TestScope,
  type Installation,
  type ServerProcess,
  createInstallation,
} from '../../support/server-process.ts';
import { startUpstream } from '../../support/upstream-process.ts';
import { AuditLedger } from './audit-ledger.ts';
import { assertWhole } from './checks.ts';
import { type Death, Load, type LoadParts, NoAnswer, readDatabase } from './load.ts';
import { medianOf } from './log-writer.ts';
import { type Writers, personSettings, setUp } from './set-up.ts';

// A hundred times what a start takes on a machine that does nothing else.
const START_LIMIT_MS = 100_000;
// A start on a busy machine holds its own event loop for longer than a heartbeat may take.
const LATE_HEARTBEAT = 'the announcement channel failed; reconnecting';
// Of a start that is cut off: it is over by then, unless the machine is busy.
const EARLY_DEATH_MS = 1_500;
// From the answer that decides on the death to the death.
const LAST_MS = 20;

// A start may have that to say, crash or not.
const NO_DASHBOARD = 'the dashboard is not built';

// A client of the first round, and then of one in so many, never sees what it was answered.
const ROUNDS_PER_LOSS = 3;

export interface CrashOptions {
  database: TestDatabase;
  chance: Random;
  /** How often the server is killed under load. */
  kills: number;
  /** Each kill comes after a random count of answers, so many at most. */
  mostAnswers: number;
  /** How often, of a hundred starts, one is killed before it is over, and begins anew. */
  earlyDeathsPercent: number;
  /** After so many kills each, all that is kept is looked through. */
  killsPerCheck: number;
  /** Whether to wait for work whose lease a crash has left, some half a minute. */
  isPatient: boolean;
  /** How much of the log a kill may take along, besides what busy threads and databases keep waiting. */
  mostLossMs: number;
  progress(line: string): void;
}

/** What was seen. */
export interface CrashFigures {
  writers: Writers;
  kills: number;
  earlyDeaths: number;
  startMedianMs: number;
  startLongestMs: number;
  /** Answers by which the server said that it could not get to its database, on a machine too busy. */
  unavailable: number;
  auditRows: number;
}

/**
 * Kills a server under all kinds of writes, again and again, and demands each time that the next one is
 * ready without repair, that all that was answered is there, and that what was not is whole or absent. The
 * last server ends by SIGTERM under load, and must lose no row of the log either.
 */
export async function crash(t: TestScope, options: CrashOptions): Promise<CrashFigures> {
  const { database, chance, kills } = options;
  const upstream = await startUpstream();
  t.after(() => upstream.stop());
  const dns = await DnsServer.start(t);
  const person = personSettings();
  const installation = await createInstallation(t, database, {
    ...person,
    DNS_SERVERS: dns.address,
    VERIFICATION_POLL_SECONDS: '1',
    PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
    PROVIDER_OPENAI_API_KEY: 'sk-upstream',
  });
  const run = new Run(installation, options);
  let server = await run.start();
  const first = run.loadOf(server);
  const writers = await setUp(first, person.BOOTSTRAP_PASSWORD, dns, options.mostLossMs);
  await run.beginLedgers();
  for (let round = 1; round <= kills; round++) {
    if (round % ROUNDS_PER_LOSS === 1) {
      await writers.authorizations.loseAnswers(run.loadOf(server));
    }
    const death = await run.writeUntilDeath(server, writers, 'SIGKILL');
    while (chance.fraction() * 100 < options.earlyDeathsPercent) await run.dieEarly();
    server = await run.start();
    await run.settle(server, writers, death);
    if (round % options.killsPerCheck === 0) await assertWhole(installation);
    options.progress(`${database}: ${round} of ${kills}, ready in ${run.startsMs.at(-1)} ms`);
  }
  await writers.verifications.finish(run.loadOf(server), options.isPatient);
  await run.checkLedgers();
  const stop = await run.writeUntilDeath(server, writers, 'SIGTERM');
  await writers.logs.settleRows(installation, stop);
  await assertWhole(installation);
  await run.verifyByCommand();
  return run.figures(writers);
}

class Run {
  readonly startsMs: number[] = [];
  unavailable = 0;
  #earlyDeaths = 0;
  readonly #installation: Installation;
  readonly #options: CrashOptions;
  readonly #parts: LoadParts;
  #userId = '';

  constructor(installation: Installation, options: CrashOptions) {
    this.#installation = installation;
    this.#options = options;
    const { chance } = options;
    const ledgers = { audit: new AuditLedger(), personAudit: new AuditLedger() };
    this.#parts = { installation, chance, ...ledgers };
  }

  loadOf(server: ServerProcess): Load {
    return new Load(server, this.#parts);
  }

  async start(): Promise<ServerProcess> {
    const startMs = performance.now();
    const server = await this.#installation.start();
    const ready = await request('GET', `${server.origin}/readyz`);
    assert.equal(ready.status, 200, ready.text);
    const warnings = warningsOf(server.process).filter((line) => !line.includes(LATE_HEARTBEAT));
    assert.deepEqual(warnings, [], 'the start was not in order');
    const tookMs = Math.round(performance.now() - startMs);
    assert.ok(tookMs <= START_LIMIT_MS, `ready after ${tookMs} ms`);
    this.startsMs.push(tookMs);
    return server;
  }

  /** A start that is killed before anybody has asked it anything. */
  async dieEarly(): Promise<void> {
    const process = new CliProcess(['serve'], { env: this.#installation.env });
    await delay(this.#options.chance.between(10, EARLY_DEATH_MS));
    process.kill('SIGKILL');
    const result = await process.result();
    assert.deepEqual([...warningsOf(result), result.stderr], ['']);
    this.#earlyDeaths++;
  }

  /** Has all of them write until the server is dead; tells how it died. */
  async writeUntilDeath(
    server: ServerProcess,
    { all }: Writers,
    signal: Death['signal'],
  ): Promise<Death> {
    const { chance, mostAnswers } = this.#options;
    const answersAtDeath = chance.between(1, mostAnswers);
    const lastMs = chance.fraction() * LAST_MS;
    let atMs = Number.POSITIVE_INFINITY;
    const load = new Load(server, this.#parts, (answers) => {
      if (answers !== answersAtDeath) return;
      setTimeout(() => {
        atMs = performance.now();
        server.process.kill(signal);
      }, lastMs);
    });
    const lanes = all.flatMap((writer) => Array.from({ length: writer.lanes }, () => writer));
    await Promise.all(
      lanes.map(async (writer) => {
        try {
          for (;;) await writer.write(load);
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error;
        }
      }),
    );
    this.unavailable += load.unavailable;
    if (atMs === Number.POSITIVE_INFINITY) {
      // Too busy a database has ended every lane. One that has died by itself has another exit code.
      atMs = performance.now();
      server.process.kill(signal);
    }
    const { code, stdout, stderr } = await server.process.result();
    assert.equal(stderr, '');
    // On a machine too busy even the database may not answer in time.
    for (const line of warningsOf({ stdout })) this.#options.progress(line);
    assert.equal(code, signal === 'SIGTERM' ? 0 : null, 'the server died by itself');
    return { signal, atMs };
  }

  async settle(server: ServerProcess, { all, logs }: Writers, death: Death): Promise<void> {
    const load = this.loadOf(server);
    await logs.settle(load, death);
    for (const writer of all) if (writer !== logs) await writer.settle(load, death);
    await this.checkLedgers();
  }

  /** What the set-up has changed is not looked at. */
  async beginLedgers(): Promise<void> {
    const { audit, personAudit, installation } = this.#parts;
    await readDatabase(installation, async (read) => {
      const { id } = await read.selectFrom('users').select('id').executeTakeFirstOrThrow();
      this.#userId = id;
      await audit.begin(read, installation.accountId);
      await personAudit.begin(read, id);
    });
  }

  async checkLedgers(): Promise<void> {
    const { audit, personAudit, installation } = this.#parts;
    await readDatabase(installation, async (read) => {
      await audit.check(read, installation.accountId);
      await personAudit.check(read, this.#userId);
    });
  }

  /** As an operator does it. */
  async verifyByCommand(): Promise<void> {
    const { env } = this.#installation;
    if (!this.#options.isPatient) return;
    const { code, stdout, stderr } = await runCli(['audit', 'verify'], { env });
    assert.equal(code, 0, stdout + stderr);
  }

  figures(writers: Writers): CrashFigures {
    const { audit, personAudit } = this.#parts;
    return {
      writers,
      kills: this.#options.kills,
      earlyDeaths: this.#earlyDeaths,
      startMedianMs: medianOf(this.startsMs),
      startLongestMs: Math.max(...this.startsMs),
      unavailable: this.unavailable,
      auditRows: audit.rows + personAudit.rows,
    };
  }
}

/** What it had to warn of, and to tell of errors. */
function warningsOf({ stdout }: { stdout: string }): string[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.filter((line) => !line.includes(NO_DASHBOARD));
}
