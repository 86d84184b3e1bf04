import { Pool } from 'undici';
import type { Installation, ServerProcess } from '../support/server-process.ts';

/** An answer that its client has seen to its end. */
export interface Acknowledged {
  /** Of its log row. */
  logId: string;
  /** By the clock of this process; the server was done earlier. */
  endedAtMs: number;
  tookMs: number;
}

/** Requests that the server answers by itself, so many of them under way at any moment. */
export class EchoLoad {
  readonly acknowledged: Acknowledged[] = [];
  /** Answers that were no answers: refusals, and connections that were refused or cut. */
  failures = 0;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #token: string;
  readonly #inFlight: number;
  #isOver = false;

  constructor(
    { origin }: Pick<ServerProcess, 'origin'>,
    { accountId, token }: Pick<Installation, 'accountId' | 'token'>,
    inFlight: number,
  ) {
    this.#pool = new Pool(origin, { connections: inFlight, pipelining: 1 });
    this.#path = `/client/v4/accounts/${accountId}/ai/v1/chat/completions`;
    this.#token = token;
    this.#inFlight = inFlight;
  }

  /** One request; undefined: it was not answered as it should be. */
  async ask(content = 'one two three'): Promise<Acknowledged | undefined> {
    const startMs = performance.now();
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: 'POST',
        path: this.#path,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${this.#token}`,
        },
        body: JSON.stringify({ model: 'local/echo', messages: [{ role: 'user', content }] }),
      });
      await body.dump();
      const logId = headers['cf-aig-log-id'];
      if (statusCode === 200 && typeof logId === 'string') {
        const endedAtMs = performance.now();
        const answer = { logId, endedAtMs, tookMs: endedAtMs - startMs };
        this.acknowledged.push(answer);
        return answer;
      }
    } catch {
      // The server has gone away.
    }
    this.failures++;
    return undefined;
  }

  /**
   * Asks without a pause, until there is no answer any more.
   * @param onAnswers called once, with the answer that makes them so many
   */
  async run(answers: number, onAnswers: () => void): Promise<void> {
    const work = async (): Promise<void> => {
      while (!this.#isOver) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        if ((await this.ask()) === undefined) this.#isOver = true;
        else if (this.acknowledged.length === answers) onAnswers();
      }
    };
    await Promise.all(Array.from({ length: this.#inFlight }, work));
    await this.close();
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
