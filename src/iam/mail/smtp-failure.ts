import type { SmtpServer } from '../../lib/smtp-url.ts';

/** The parts of an error of nodemailer that contain codes only. */
export interface SmtpFailure {
  code?: string;
  /** Error code of the system if `code` is nodemailer's own. */
  originalCode?: string;
  responseCode?: number;
  response?: string;
  command?: string;
  message?: string;
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const BY_SYSTEM_CODE: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate is for another host: use a host name of the certificate in LATCHKEY_SMTP_URL',
  CERT_HAS_EXPIRED: 'the certificate of the mail server has expired',
  ECONNREFUSED: 'nothing accepts connections: check the host and the port in LATCHKEY_SMTP_URL',
  ENOTFOUND: 'the host is unknown: check the host in LATCHKEY_SMTP_URL, and DNS',
  EHOSTUNREACH: 'there is no route to the host: check the network and the firewall',
  ENETUNREACH: 'there is no route to the host: check the network and the firewall',
};

const NO_TLS_AT_ONCE =
  'the port does not expect TLS at once: use smtp:// in LATCHKEY_SMTP_URL, which uses STARTTLS';

/**
 * Explains why a mail server is unusable.
 * @returns the cause and the next step in a line, without text of the server; undefined if unknown
 */
export function explainSmtpFailure(server: SmtpServer, failure: SmtpFailure): string | undefined {
  const { code = '', originalCode = '', responseCode, command, message = '' } = failure;
  const systemCode = originalCode === '' ? code : originalCode;
  if (code === 'ERR_FORWARD_PROXY') return message;
  if (code === 'EAUTH') return explainLogin(responseCode);
  if (UNTRUSTED.has(systemCode)) {
    return 'the certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its certificate authority';
  }
  if (Object.hasOwn(BY_SYSTEM_CODE, systemCode)) return BY_SYSTEM_CODE[systemCode];
  if (server.isImplicitTls && /SSL|TLS|EPROTO/.test(systemCode)) return NO_TLS_AT_ONCE;
  if (code === 'ETLS') {
    return 'TLS is not available, and credentials are never sent unencrypted: use a server with TLS, or remove the credentials from LATCHKEY_SMTP_URL';
  }
  if (code === 'EDNS') return BY_SYSTEM_CODE.ENOTFOUND;
  if (/greeting never received/i.test(message)) {
    return server.isImplicitTls
      ? 'the server sent no greeting'
      : 'the server sent no greeting: use smtps:// in LATCHKEY_SMTP_URL if the port expects TLS at once';
  }
  if (code === 'ETIMEDOUT') {
    return 'the server did not respond in time: check the host and the port in LATCHKEY_SMTP_URL, and the firewall';
  }
  if (command === 'MAIL FROM') {
    return responseCode === 530
      ? 'the server requires a login: add user and password to LATCHKEY_SMTP_URL'
      : 'the server rejected the sender: check LATCHKEY_MAIL_FROM';
  }
  return undefined;
}

// RFC 4954 section 6: 454 and 421 are temporary.
function explainLogin(responseCode: number | undefined): string {
  if (responseCode !== undefined && responseCode < 500) {
    return 'the server cannot check logins at the moment';
  }
  return 'the login failed: check user and password in LATCHKEY_SMTP_URL';
}
