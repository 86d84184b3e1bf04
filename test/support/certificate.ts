import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** One value in DER (ITU-T X.690 section 8.1). */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const long = [length >> 8, length & 0xff].slice(length < 0x100 ? 1 : 0);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | long.length, ...long];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const octets = (content: Buffer) => der(0x04, content);
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => der(0x17, Buffer.from(text));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');

/** A self-signed certificate for `localhost`, `provider.example` and `127.0.0.1` (RFC 5280 section 4.1). */
export function createCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const serial = createHash('sha256').update(spki).digest().subarray(0, 8);
  serial[0] = 0x01;
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('latchkey test')))));
  const altNames = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x82, Buffer.from('provider.example')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, der(0x01, Buffer.from([0xff])), octets(isAuthority)),
    sequence(SUBJECT_ALT_NAME, octets(altNames)),
  );
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    spki,
    der(0xa3, extensions),
  );
  const whole = sequence(signed, ECDSA_WITH_SHA256, bits(sign('sha256', signed, privateKey)));
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

let trusted: { key: string; cert: string } | undefined;

/** Key and certificate of a server on loopback, which this process trusts from now on. */
export function trustedCertificate(): { key: string; cert: string } {
  if (trusted !== undefined) return trusted;
  trusted = createCertificate();
  setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
  return trusted;
}
