import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { type Server, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

interface Context {
  after(work: () => unknown): void;
}

/** A message as a mail server got it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header lines, unfolded, by lower-case name. */
  headers: Map<string, string>;
  /** Both alternatives, with quoted-printable undone. */
  body: string;
  /** Whether it came over TLS. */
  secure: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  /** `smtp://127.0.0.1:port` */
  url: string;
  received: ReceivedMail[];
  stop(): Promise<void>;
}

export interface MailServerOptions extends SMTPServerOptions {
  port?: number;
  /** Runs before a message is accepted; throws to refuse it. */
  onMessage?: (mail: ReceivedMail) => Promise<void>;
}

/** A refusal as mail servers word one, with the recipient in it. */
export function refusal(code: number, enhanced: string, address: string): Error {
  return Object.assign(new Error(`${enhanced} <${address}>: refused`), { responseCode: code });
}

/** A real SMTP server on loopback. Unless told otherwise it takes everything, without TLS. */
export async function startMailServer(
  t: Context,
  { port = 0, onMessage, ...options }: MailServerOptions = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: options.secure !== true,
    hideENHANCEDSTATUSCODES: true,
    closeTimeout: 10,
    onData(stream, session, callback) {
      const take = async (): Promise<void> => {
        const raw = await text(stream);
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parseMail(raw),
          secure: session.secure,
          user: session.user as string | undefined,
        };
        await onMessage?.(mail);
        received.push(mail);
      };
      callbackify(take)(callback);
    },
    ...options,
  });
  // A client that gives up is what some tests are about.
  server.on('error', () => {});
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address() as AddressInfo;
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await new Promise<void>((resolve) => server.close(resolve));
  };
  t.after(stop);
  return { port: address.port, url: `smtp://127.0.0.1:${address.port}`, received, stop };
}

function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'body'> {
  const split = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, split)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const body = raw
    .slice(split + 4)
    .replaceAll('=\r\n', '')
    .replaceAll(/(=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
    );
  return { headers: new Map(headers), body };
}

/** Something that accepts connections and then does what it likes. */
export async function startListener(
  t: Context,
  onConnection: (socket: Socket) => void,
): Promise<{ url: string }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
