import { type Socket as UdpSocket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer, isIPv6 } from 'node:net';
import dnsPacket, { type Answer, type Packet, type Question } from 'dns-packet';
import { eventually } from './eventually.ts';

interface Context {
  after(work: () => unknown): void;
}

/** What the server says about a name. */
export interface DnsReply {
  /** TXT records; one of several strings is an array. */
  txt?: (string | string[])[];
  /** Addresses, of both kinds. */
  addresses?: string[];
  /** The name is an alias of this one, which has the records. */
  cname?: string;
  /** Over UDP nothing is told but that the answer is too long. */
  truncated?: boolean;
  rcode?: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED';
}

/** Undefined stays silent. */
type Respond = () => DnsReply | undefined | Promise<DnsReply | undefined>;

const RCODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** A real DNS server on loopback, UDP and TCP on the same port. Names it does not know do not exist. */
export class DnsServer {
  /** For LATCHKEY_DNS_SERVERS. */
  readonly address: string;
  /** Every question so far, as `TXT example.com udp`. */
  readonly questions: string[] = [];
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #connections = new Set<Socket>();
  readonly #names = new Map<string, Respond>();
  #isStopped = false;

  private constructor(udp: UdpSocket, tcp: Server) {
    this.#udp = udp;
    this.#tcp = tcp;
    this.address = `127.0.0.1:${udp.address().port}`;
    udp.on('message', (message, from) => {
      void this.#answer(message, 'udp').then((answer) => {
        if (answer !== undefined && !this.#isStopped) udp.send(answer, from.port, from.address);
      });
    });
    tcp.on('connection', (socket) => this.#converse(socket));
  }

  /** @param t stops it when the test ends; without one, whoever starts it does */
  static async start(t?: Context): Promise<DnsServer> {
    const tcp = createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4').bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(udp, 'listening');
    const server = new DnsServer(udp, tcp);
    t?.after(() => server.stop());
    return server;
  }

  /** Says from now on what the server tells about a name. */
  set(name: string, reply: DnsReply | Respond): void {
    this.#names.set(name, typeof reply === 'function' ? reply : () => reply);
  }

  /** How often a name was asked about. */
  asked(name: string): number {
    return this.questions.filter((question) => question.split(' ')[1] === name).length;
  }

  /** Waits until a name has been asked about that often. */
  async untilAsked(name: string, times = 1): Promise<void> {
    const what = `${name} is asked about ${times} times`;
    await eventually(what, () => Promise.resolve(this.asked(name) >= times));
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#udp.close();
    this.#tcp.close();
    for (const socket of this.#connections) socket.destroy();
  }

  #converse(socket: Socket): void {
    this.#connections.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#connections.delete(socket));
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const message = received.subarray(2, end);
        received = received.subarray(end);
        void this.#answer(message, 'tcp').then((answer) => {
          if (answer === undefined) return;
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          socket.write(Buffer.concat([length, answer]));
        });
      }
    });
  }

  async #answer(message: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | undefined> {
    const query = dnsPacket.decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return undefined;
    const name = question.name.toLowerCase();
    this.questions.push(`${question.type} ${name} ${transport}`);
    const respond = this.#names.get(name) ?? (() => ({ rcode: 'NXDOMAIN' as const }));
    const reply = await respond();
    return reply && dnsPacket.encode(packetOf(query, question, reply, transport));
  }
}

function packetOf(
  query: Packet,
  { name, type }: Question,
  { txt = [], addresses = [], cname, truncated = false, rcode }: DnsReply,
  transport: 'udp' | 'tcp',
): Packet {
  const isCut = truncated && transport === 'udp';
  const owner = cname ?? name;
  const answers: Answer[] = [
    ...(cname === undefined ? [] : [{ type: 'CNAME' as const, name, ttl: 60, data: cname }]),
    ...txt.map((data) => ({ type: 'TXT' as const, name: owner, ttl: 60, data })),
    ...addresses
      .filter((data) => type === (isIPv6(data) ? 'AAAA' : 'A'))
      .map((data) => ({
        type: isIPv6(data) ? ('AAAA' as const) : ('A' as const),
        name: owner,
        ttl: 60,
        data,
      })),
  ];
  return {
    type: 'response',
    ...(query.id === undefined ? {} : { id: query.id }),
    flags:
      dnsPacket.RECURSION_DESIRED |
      dnsPacket.RECURSION_AVAILABLE |
      (isCut ? dnsPacket.TRUNCATED_RESPONSE : 0) |
      (rcode === undefined ? 0 : RCODES[rcode]),
    ...(query.questions === undefined ? {} : { questions: query.questions }),
    answers: isCut ? [] : answers,
  };
}
