/**
 * A message of application/vnd.amazon.eventstream. The checksums are not valid.
 * @param headers with strings as values
 */
export function awsMessage(
  payload: object,
  headers: Record<string, string> = { ':event-type': 'chunk', ':message-type': 'event' },
): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 0xff]),
      Buffer.from(value),
    ]),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  return Buffer.concat([prelude, head, body, Buffer.alloc(4, 0x22)]);
}
