import { createTransport } from 'nodemailer';
import { mailDomain } from '../../lib/mail-address.ts';
import type { SmtpServer } from '../../lib/smtp-url.ts';
import { MailError } from './mail-error.ts';
import { renderMailHtml } from './mail-html.ts';

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
}

/** A mailer for one server. Each message has a connection of its own: mail is rare. */
export function createMailer(options: MailerOptions): Mailer {
  const { server, from, stepTimeoutMs = STEP_TIMEOUT_MS } = options;
  const { credentials } = server;
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isImplicitTls,
    // Credentials pass no network in the clear.
    requireTLS: credentials !== undefined && !server.isLoopback && !server.isImplicitTls,
    // A relay on this machine tends to have a certificate that nobody signed.
    tls: { rejectUnauthorized: !server.isLoopback },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    socketCloseTimeout: CLOSE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
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
        throw describeTrouble(error, deadline.aborted);
      }
    },
  };
}

// RFC 3463 section 3.2 and RFC 7505: there is no such mailbox or host, and another attempt will not
// make it. Other refusals may be of the sender, which the operator can mend.
const NO_SUCH_ADDRESS = /^5\.1\.([1236]|10)$/;
// RFC 5321 section 3.8
const SERVICE_CLOSES = 421;

/** What nodemailer says of a failure, as far as it is used here. */
interface SmtpFailure {
  code?: string;
  /** Code of the system, when `code` is nodemailer's own. */
  originalCode?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

function describeTrouble(error: unknown, isTooLate: boolean): MailError {
  const { code, originalCode, responseCode, response, command } = error as SmtpFailure;
  if (isTooLate) return new MailError('the server took too long', 'server');
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const codes = [code, originalCode, command, responseCode, enhanced];
  const text = codes.filter((part) => part !== undefined).join(' ') || (error as Error).name;
  const isOfMessage =
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    command !== 'MAIL FROM' &&
    responseCode !== SERVICE_CLOSES;
  if (!isOfMessage) return new MailError(text, 'server');
  const isAddressWrong = command === 'RCPT TO' && NO_SUCH_ADDRESS.test(enhanced ?? '');
  return new MailError(text, isAddressWrong ? 'message-for-ever' : 'message');
}
