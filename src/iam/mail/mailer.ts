import { callbackify } from 'node:util';
import { createTransport } from 'nodemailer';
import { openTunnel } from '../../http/proxy-tunnel.ts';
import { mailDomain } from '../../lib/mail-address.ts';
import { type ForwardProxies, NO_FORWARD_PROXIES } from '../../lib/forward-proxies.ts';
import type { SmtpServer } from '../../lib/smtp-url.ts';
import { MailError } from './mail-error.ts';
import { renderMailHtml } from './mail-html.ts';
import { type SmtpFailure, explainSmtpFailure } from './smtp-failure.ts';

// A server that is well answers each step within a fraction of it.
const STEP_TIMEOUT_MS = 10_000;
// A message has about ten steps; one that is fed drop by drop must end too.
const STEPS_PER_MESSAGE = 6;
const CLOSE_TIMEOUT_MS = 1_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** What is to be told to somebody. */
export interface Message {
  /** One address, without a name. */
  to: string;
  subject: string;
  /** Plain text; a web address that is a line of its own becomes a link in the HTML alternative. */
  text: string;
}

/** A message on its way. */
export interface OutgoingMessage extends Message {
  /** The same in every attempt, so that a message that arrives twice can be told to be one. */
  id: string;
  createdAtMs: number;
}

/** Hands messages to a mail server. */
export interface Mailer {
  /**
   * Resolves when the server has taken the message over.
   * @throws MailError when it has not; some of these may arrive all the same
   */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<void>;
}

export interface MailerOptions {
  server: SmtpServer;
  /** The sender. */
  from: { name: string; address: string };
  /** How long each step of a delivery may take. */
  stepTimeoutMs?: number;
  proxies?: ForwardProxies;
}

/** The transport of a mail server, for messages and for checks. */
export function createMailTransport({
  server,
  stepTimeoutMs = STEP_TIMEOUT_MS,
  proxies = NO_FORWARD_PROXIES,
}: Omit<MailerOptions, 'from'>) {
  const { host, port, credentials, isImplicitTls, isLoopback } = server;
  const proxy = proxies.find('https:', host, port);
  return createTransport({
    host,
    port,
    secure: isImplicitTls,
    // Credentials are never sent unencrypted over a network.
    requireTLS: credentials !== undefined && !isLoopback && !isImplicitTls,
    // Without credentials, STARTTLS is opportunistic (RFC 7435): a relay that offers it with its own
    // certificate is no less secure than one that does not offer it.
    opportunisticTLS: credentials === undefined,
    tls: { rejectUnauthorized: !isLoopback && (isImplicitTls || credentials !== undefined) },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    socketCloseTimeout: CLOSE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(proxy !== undefined && {
      getSocket(_options: unknown, callback: (error: Error | null, socket: object) => void) {
        callbackify(openTunnel)(proxy, { host, port }, stepTimeoutMs, (error, connection) =>
          callback(error, { connection }),
        );
      },
    }),
  });
}

/** A mailer for one server. Each message has a connection of its own: mail is rare. */
export function createMailer(options: MailerOptions): Mailer {
  const { from, stepTimeoutMs = STEP_TIMEOUT_MS } = options;
  const transport = createMailTransport(options);
  return {
    async send({ id, to, subject, text, createdAtMs }, signal) {
      const deadline = AbortSignal.timeout(stepTimeoutMs * STEPS_PER_MESSAGE);
      try {
        await transport.sendMail({
          from,
          // As an object it is one address, whatever is in it; as a text it would be parsed.
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text,
          html: renderMailHtml(text),
          messageId: `<${id}@${mailDomain(from.address)}>`,
          date: new Date(createdAtMs),
          // RFC 3834 section 5: holiday notices and the like are not to answer.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, deadline]),
        });
      } catch (error) {
        throw describeTrouble(options.server, error, deadline.aborted);
      }
    },
  };
}

// RFC 3463 section 3.2 and RFC 7505: there is no such mailbox or host, and another attempt will not
// make it. Other refusals may be of the sender, which the operator can mend.
const NO_SUCH_ADDRESS = /^5\.1\.([1236]|10)$/;
// RFC 5321 section 3.8
const SERVICE_CLOSES = 421;

function describeTrouble(server: SmtpServer, error: unknown, isTooLate: boolean): MailError {
  const failure = error as SmtpFailure;
  const { code, originalCode, responseCode, response, command } = failure;
  const place = `${server.host}:${server.port}`;
  if (isTooLate) return new MailError(`the server took too long (${place})`, 'server');
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const codes = [code, originalCode, command, responseCode, enhanced];
  const text = codes.filter((part) => part !== undefined).join(' ') || (error as Error).name;
  const isOfMessage =
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    command !== 'MAIL FROM' &&
    responseCode !== SERVICE_CLOSES;
  if (!isOfMessage) {
    const cause = explainSmtpFailure(server, failure);
    return new MailError(`${text} (${place})${cause === undefined ? '' : `: ${cause}`}`, 'server');
  }
  const isAddressWrong = command === 'RCPT TO' && NO_SUCH_ADDRESS.test(enhanced ?? '');
  return new MailError(text, isAddressWrong ? 'message-for-ever' : 'message');
}
