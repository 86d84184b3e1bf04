import { ProtocolError } from '../protocol-error.ts';

/** What a client has put into its `Authorization` header. */
export interface BasicCredentials {
  clientId: string;
  secret: string;
}

const SCHEME = /^basic(?: +(?<encoded>[^ ].*)?)?$/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a header means to authenticate by `Basic` (RFC 7617), whatever its value looks like. */
export function isBasic(header: string): boolean {
  return SCHEME.test(header);
}

/**
 * Reads `Authorization: Basic`: strict base64 of two halves, each form-encoded (RFC 6749 section 2.3.1).
 * @throws ProtocolError invalid_request when it is anything else
 */
export function readBasic(header: string): BasicCredentials {
  const encoded = SCHEME.exec(header)?.groups?.encoded?.trimEnd() ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  // Node decodes leniently: without the comparison, several texts would be one secret.
  if (encoded === '' || bytes.toString('base64') !== encoded) throw malformed('is no base64');
  const text = decodeUtf8(bytes);
  const colon = text.indexOf(':');
  if (colon < 0) throw malformed('holds no colon');
  return {
    clientId: decodeFormValue(text.slice(0, colon)),
    secret: decodeFormValue(text.slice(colon + 1)),
  };
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw malformed('is no UTF-8');
  }
}

/** `application/x-www-form-urlencoded`, strictly (RFC 6749 appendix B). */
function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed('is not percent-encoded as a form is');
  }
}

function malformed(reason: string): ProtocolError {
  return new ProtocolError('invalid_request', `the value of Authorization: Basic ${reason}`);
}
