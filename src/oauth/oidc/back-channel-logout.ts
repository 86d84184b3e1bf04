import { type Agent, request } from 'undici';
import { createGuardedAgent } from '../../http/guarded-agent.ts';
import { SESSION_TOPIC } from '../../iam/credentials.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import type { ClientDirectory, RegisteredClient } from '../clients/client-directory.ts';
import type { NetworkRules } from '../oauth-services.ts';
import {
  type Logout,
  deleteLogout,
  postponeLogout,
  queueLogouts,
  selectDueLogouts,
} from './back-channel-logout-store.ts';
import type { SigningKeys } from './signing-keys.ts';

const JOB = 'back-channel-logout';
// For retries, and for sessions that a command has ended.
const INTERVAL_MS = 15_000;
const BATCH_ROWS = 16;
const TIMEOUT_MS = 5_000;
const FIRST_GAP_MS = 15_000;
const GAP_FACTOR = 4;
const MAX_GAP_MS = 3_600_000;
const GIVE_UP_AFTER_MS = 86_400_000;
const TOKEN_SECONDS = 120;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Statuses after which the same request may succeed later. */
const RETRIED = new Set([408, 425, 429]);

interface LogoutParts extends NetworkRules {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  clients: ClientDirectory;
  signingKeys: SigningKeys;
  issuer: () => string;
}

/**
 * Posts a logout token to each client that a user has authorized in a session, when the session ends (OpenID Connect
 * Back-Channel Logout 1.0). The change that ends a session records it, so a delivery survives a crash and happens at
 * least once; its `jti` stays the same. One node at a time delivers.
 */
export class BackChannelLogout {
  readonly #parts: LogoutParts;
  readonly #agent: Agent;
  readonly #stopping = new AbortController();

  /** Adds the deliveries to the periodic work, before that is started. */
  constructor(parts: LogoutParts) {
    this.#parts = parts;
    const { database, work, upstreamAllow, forwardProxies: proxies } = parts;
    this.#agent = createGuardedAgent(upstreamAllow, TIMEOUT_MS, { proxies });
    work.add({ name: JOB, intervalMs: INTERVAL_MS, run: (signal) => this.#run(signal) });
    database.invalidation.subscribe({
      onAnnouncement({ topic }) {
        if (topic === SESSION_TOPIC) void work.runNow(JOB);
      },
      onGap() {},
    });
  }

  /** Ends the deliveries that run. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#agent.destroy();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    while (await queueLogouts(database, clock.now())) signal.throwIfAborted();
    for (;;) {
      // Each is deleted or postponed before the next look, so this comes to an end.
      const batch = await selectDueLogouts(database.read, clock.now(), BATCH_ROWS);
      if (batch.length === 0) return;
      signal.throwIfAborted();
      await Promise.all(batch.map((logout) => this.#deliver(logout, signal)));
    }
  }

  async #deliver(logout: Logout, signal: AbortSignal): Promise<void> {
    const { database, clients } = this.#parts;
    const client = await clients.find(logout.clientId);
    const uri = client?.backchannelLogoutUri;
    const outcome =
      client === undefined || uri === undefined
        ? 'done'
        : await this.#post(uri, client, logout, signal);
    if (outcome === 'done') {
      await database.transaction((tx) => deleteLogout(tx, logout.id));
    } else {
      await this.#settle(logout, outcome);
    }
  }

  async #post(
    uri: string,
    client: RegisteredClient,
    logout: Logout,
    signal: AbortSignal,
  ): Promise<'done' | { reason: string; isFinal: boolean }> {
    const token = await this.#createToken(client, logout);
    const stop = AbortSignal.any([signal, this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const { statusCode, body } = await request(uri, {
        method: 'POST',
        dispatcher: this.#agent,
        signal: stop,
        reset: true,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': this.#parts.issuer(),
        },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
      body.on('error', () => {});
      body.destroy();
      if (statusCode >= 200 && statusCode < 300) return 'done';
      const isFinal = statusCode < 500 && !RETRIED.has(statusCode);
      return { reason: `status ${statusCode}`, isFinal };
    } catch (error) {
      signal.throwIfAborted();
      this.#stopping.signal.throwIfAborted();
      const { code, message } = error as Error & { code?: string };
      return { reason: code ?? message, isFinal: false };
    }
  }

  /** Section 2.4. */
  #createToken(client: RegisteredClient, { id, userId, sid }: Logout): Promise<string> {
    const { signingKeys, clock, issuer } = this.#parts;
    const issuedAt = Math.floor(clock.now() / 1_000);
    const claims = {
      iss: issuer(),
      sub: userId,
      aud: client.id,
      iat: issuedAt,
      exp: issuedAt + TOKEN_SECONDS,
      jti: id,
      sid,
      events: { [EVENT]: {} },
    };
    return signingKeys.sign(client.idTokenAlg, claims, 'logout+jwt');
  }

  async #settle(
    { id, clientId, attempts: earlier, createdAtMs }: Logout,
    { reason, isFinal }: { reason: string; isFinal: boolean },
  ): Promise<void> {
    const { database, clock, report } = this.#parts;
    const nowMs = clock.now();
    const attempts = earlier + 1;
    const error = new Error(`OAuth client ${clientId}: ${reason}`);
    if (isFinal || nowMs - createdAtMs >= GIVE_UP_AFTER_MS) {
      await database.transaction((tx) => deleteLogout(tx, id));
      report(error, `a back-channel logout was given up at attempt ${attempts}`);
      return;
    }
    const gapMs = Math.min(MAX_GAP_MS, FIRST_GAP_MS * GAP_FACTOR ** earlier);
    await database.transaction((tx) => postponeLogout(tx, id, attempts, nowMs + gapMs));
    report(
      error,
      `a back-channel logout failed at attempt ${attempts}, next in ${gapMs / 1_000} s`,
    );
  }
}
