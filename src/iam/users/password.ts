import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify<'argon2id', Argon2Parameters, Buffer>(argon2 as never);

// OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Hashes a password with argon2id, as a PHC string that carries its own parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await argon2Async('argon2id', {
    message: password,
    nonce: salt,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(tag)}`;
}
