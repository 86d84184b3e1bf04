import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
// Random nonces are safe for 2^32 values under one key (NIST SP 800-38D section 8.3).
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 16;
// Names the cipher, the derivation and the layout: a later one can be told apart.
const VERSION = 'v1';

/** A sealed value that was changed, moved to another context, or sealed under another key. */
export class SealError extends Error {}

/** Encrypts and authenticates small secrets at rest. */
export interface Sealer {
  /**
   * @param plaintext well-formed Unicode
   * @param context where the value is kept, such as table and row id: it opens nowhere else
   * @returns `v1.` and base64url; two calls never return the same
   */
  seal(plaintext: string, context: string): string;
  /** @throws SealError when it is not what `seal` returned for that context under that key */
  open(sealed: string, context: string): string;
}

/** The key that all others of an installation derive from. It never leaves this object. */
export class MasterKey {
  readonly #bytes: Buffer;

  /** @param bytes 32 random bytes */
  constructor(bytes: Buffer) {
    if (bytes.length !== KEY_BYTES)
      throw new RangeError(`a master key must have ${KEY_BYTES} bytes`);
    this.#bytes = Buffer.from(bytes);
  }

  /** @param purpose what is sealed: what one purpose sealed, another does not open */
  sealer(purpose: string): Sealer {
    return createSealer(this.#bytes, `latchkey master ${VERSION} ${purpose}`);
  }

  /** Tells two keys apart and reveals neither: 32 hex digits, derived one way. */
  fingerprint(): string {
    return deriveKey(this.#bytes, `latchkey fingerprint ${VERSION}`, FINGERPRINT_BYTES).toString(
      'hex',
    );
  }
}

/**
 * A sealer whose key only the bearer of a secret can name: nothing kept on the server opens it.
 * @param secret at least 128 random bits: the derivation is fast, so less could be guessed
 */
export function sealerFromSecret(secret: string, purpose: string): Sealer {
  return createSealer(Buffer.from(secret), `latchkey secret ${VERSION} ${purpose}`);
}

/**
 * Reads a key as people write one down: 32 bytes in base64, base64url or hex.
 * @returns undefined when the text is anything else
 */
export function parseKeyBytes(text: string): Buffer | undefined {
  const written = text.trim();
  if (/^[0-9a-f]{64}$/i.test(written)) return Buffer.from(written, 'hex');
  const unpadded = written.replace(/=$/, '');
  const encoding = /[-_]/.test(unpadded) ? 'base64url' : 'base64';
  const bytes = Buffer.from(unpadded, encoding);
  // What Node skips or completes while it decodes is a typing error.
  const isExact = bytes.toString(encoding).replace(/=$/, '') === unpadded;
  return isExact && bytes.length === KEY_BYTES ? bytes : undefined;
}

/** HKDF-SHA-256 (RFC 5869) without salt: its input has full entropy. */
function deriveKey(secret: Buffer, info: string, lengthBytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', info, lengthBytes));
}

function createSealer(secret: Buffer, info: string): Sealer {
  const key = createSecretKey(deriveKey(secret, info, KEY_BYTES));
  return {
    seal(plaintext, context) {
      // Half a surrogate pair would come back as another character.
      if (!plaintext.isWellFormed()) throw new TypeError('only well-formed text can be encrypted');
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
      const parts = [nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${VERSION}.${Buffer.concat(parts).toString('base64url')}`;
    },
    open: (sealed, context) => open(key, sealed, context),
  };
}

function open(key: KeyObject, sealed: string, context: string): string {
  const [version, encoded = '', ...rest] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  // Node decodes leniently: without the comparison, several texts would be one sealed value.
  const isExact = rest.length === 0 && bytes.toString('base64url') === encoded;
  if (version !== VERSION || !isExact || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new SealError('not an encrypted value');
  }
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
  } catch (error) {
    throw new SealError('the encrypted value was changed, moved or encrypted with another key', {
      cause: error,
    });
  }
}

/** Takes sealed values from one master key to another. */
export interface Resealing {
  /**
   * @param sealer of the purpose, from either key
   * @returns the value under the new key; one that the old key does not open stays as it is
   */
  reseal(sealed: string, sealer: (key: MasterKey) => Sealer, context: string): string;
  readonly resealed: number;
  /** Values that the old key did not open: they were lost before. */
  readonly unreadable: number;
}

/** Takes values from `from` to `to`, and counts them. */
export function createResealing(from: MasterKey, to: MasterKey): Resealing {
  let resealed = 0;
  let unreadable = 0;
  return {
    reseal(sealed, sealer, context) {
      try {
        const value = sealer(to).seal(sealer(from).open(sealed, context), context);
        resealed++;
        return value;
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        unreadable++;
        return sealed;
      }
    },
    get resealed() {
      return resealed;
    },
    get unreadable() {
      return unreadable;
    },
  };
}
