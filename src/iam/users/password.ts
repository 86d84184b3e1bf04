import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { trimEnd } from '../../lib/trim-end.ts';
import { HashingQueue, type Requester } from './hashing-queue.ts';

const argon2Async = promisify<'argon2id', Argon2Parameters, Buffer>(argon2 as never);

/** What a hash costs whoever computes it. */
export interface HashingCost {
  memoryKib: number;
  passes: number;
}

/** OWASP's minimum for argon2id with one lane. */
export const HASHING_COST: HashingCost = { memoryKib: 19_456, passes: 2 };

const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const queue = new HashingQueue();

/** @throws QueueFullError */
function compute(requester: Requester, parameters: Argon2Parameters): Promise<Buffer> {
  return queue.run(requester, () => argon2Async('argon2id', parameters));
}

interface Hash {
  memoryKib: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** @throws Error when the text is no PHC string of argon2id */
function parseHash(text: string): Hash {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? [];
  if (tag === undefined || salt === undefined) throw new Error('a stored password hash is damaged');
  return {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return trimEnd(bytes.toString('base64'), '=');
}

/** The same characters, however a keyboard composes them (NIST SP 800-63B section 5.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFC');
}

/** Hashes passwords, and checks them against their hashes. */
export class PasswordHasher {
  readonly #cost: HashingCost;
  // Fits no password that anybody could find.
  readonly #nobodysHash: Hash;

  constructor(cost = HASHING_COST) {
    this.#cost = cost;
    this.#nobodysHash = {
      ...cost,
      parallelism: PARALLELISM,
      salt: randomBytes(SALT_BYTES),
      tag: randomBytes(TAG_BYTES),
    };
  }

  /**
   * Hashes a password with argon2id, as a PHC string that carries its own parameters.
   * @throws QueueFullError when too many passwords wait to be hashed
   */
  async hash(password: string, requester: Requester): Promise<string> {
    const { memoryKib, passes } = this.#cost;
    const salt = randomBytes(SALT_BYTES);
    const tag = await compute(requester, {
      message: normalize(password),
      nonce: salt,
      parallelism: PARALLELISM,
      tagLength: TAG_BYTES,
      memory: memoryKib,
      passes,
    });
    return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /**
   * Whether a password fits a hash. Without a hash the answer is no and takes just as long, so that
   * nobody learns who exists and who has a password.
   * @throws QueueFullError when too many password checks are waiting
   */
  async verify(password: string, hash: string | undefined, requester: Requester): Promise<boolean> {
    const { memoryKib, passes, parallelism, salt, tag } =
      hash === undefined ? this.#nobodysHash : parseHash(hash);
    const computed = await compute(requester, {
      message: normalize(password),
      nonce: salt,
      parallelism,
      tagLength: tag.length,
      memory: memoryKib,
      passes,
    });
    return timingSafeEqual(computed, tag) && hash !== undefined;
  }

  /** Whether a hash was made with other parameters than {@link hash} uses today. */
  isOutdated(hash: string): boolean {
    const { memoryKib, passes, parallelism, tag } = parseHash(hash);
    return (
      memoryKib !== this.#cost.memoryKib ||
      passes !== this.#cost.passes ||
      parallelism !== PARALLELISM ||
      tag.length !== TAG_BYTES
    );
  }
}
