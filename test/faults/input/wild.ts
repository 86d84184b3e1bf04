import type { Random } from '../random.ts';
import type { Facts } from './world.ts';

/** A request that was cut, doubled, shuffled or made of noise. */
export function wildBytes(
  bytes: Buffer,
  random: Random,
  { accountId, otherAccountId }: Facts,
): Buffer {
  const wild = wildly(bytes, random);
  // See spared: a broken request may still be understood.
  const isDelete =
    wild.includes('DELETE') && (wild.includes(accountId) || wild.includes(otherAccountId));
  return isDelete ? random.bytes(random.between(1, 400)) : wild;
}

function wildly(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length);
  switch (random.below(6)) {
    case 0:
      return random.bytes(random.between(1, 2_000));
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes, bytes, bytes.subarray(0, at)]);
    case 3: {
      const flipped = Buffer.from(bytes);
      for (let count = random.between(1, 20); count > 0; count--)
        flipped[random.below(flipped.length)] = random.below(256);
      return flipped;
    }
    case 4:
      return Buffer.concat([
        bytes.subarray(0, at),
        random.bytes(random.between(1, 30)),
        bytes.subarray(at),
      ]);
    default:
      return Buffer.from(
        bytes.toString('latin1').replaceAll('\r\n', random.pick(['\n', '\r', '\r\n\r\n', '\r\n '])),
        'latin1',
      );
  }
}

const UNIVERSAL = JSON.stringify({
  type: 'universal.create',
  request: {
    eventId: 'a',
    provider: 'local',
    endpoint: 'chat/completions',
    query: { model: 'echo' },
  },
});
const MAX_FRAMES = 6;

/** An upgrade to the gateway's WebSocket, and frames behind it: right, odd and broken ones. */
export function socketBytes(random: Random, { accountId, callers }: Facts): Buffer {
  const token = callers[0]?.credentials.at(-1)?.[0]?.[1] ?? '';
  const key = random.chance(0.9) ? random.bytes(16).toString('base64') : random.text(5);
  const lines = [
    `GET /v1/${accountId}/${random.pick(['open', 'default', 'none'])} HTTP/1.1`,
    'host: localhost',
    `connection: ${random.pick(['upgrade', 'keep-alive, Upgrade', 'close'])}`,
    `upgrade: ${random.pick(['websocket', 'websocket', 'h2c'])}`,
    `sec-websocket-key: ${key}`,
    `sec-websocket-version: ${random.pick(['13', '13', '13', '8'])}`,
    ...(random.chance(0.8) ? [`cf-aig-authorization: ${token}`] : []),
  ];
  const frames = Array.from({ length: random.between(0, MAX_FRAMES) }, () => someFrame(random));
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), ...frames]);
}

/** RFC 6455 section 5.2. */
function someFrame(random: Random): Buffer {
  const text = random.pick([
    UNIVERSAL,
    UNIVERSAL,
    '{}',
    '[]',
    'null',
    '{',
    '{"type":"universal.create"}',
    random.text(200),
  ]);
  const payload = random.chance(0.2) ? random.bytes(random.between(0, 125)) : Buffer.from(text);
  const mask = random.bytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  const opcode = random.pick([
    0x81, 0x81, 0x81, 0x82, 0x01, 0x80, 0x88, 0x89, 0x8a, 0xc1, 0x83, 0xf1,
  ]);
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  const wrong = random.chance(0.1) ? [0x80 | 127, 255, 255, 255, 255, 255, 255, 255, 255] : size;
  return Buffer.concat([Buffer.from([opcode, ...wrong]), mask, masked]);
}
