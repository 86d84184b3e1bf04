import type { BodyFault } from '../json/body-members.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { TooManyValuesError, parseRequestJson } from '../json/exact-json.ts';
import { isObject, type JsonObject } from '../json/json-fields.ts';
import type { Gateway } from '../../gateway-admin/snapshot.ts';

const READ_MEMBERS = '"model", "stream", "stream_options" or "include_usage"';

/** Error 2020: the body is not of the required form. */
export function badBodyError(reason: string): GatewayError {
  return new GatewayError(gatewayErrors.badBody, { message: `Bad format: ${reason}` });
}

/** Error 2020: `stream` is not a boolean. */
export function badStreamError(): GatewayError {
  return badBodyError('stream must be true or false');
}

/** Error 2020: the members of the body cannot be read. */
export function bodyFaultError(fault: BodyFault): GatewayError {
  switch (fault) {
    case 'not-json':
      return new GatewayError(gatewayErrors.badBody);
    case 'ambiguous':
      return badBodyError(`duplicate member of the body: ${READ_MEMBERS}`);
    case 'too-deep':
      return badBodyError('the body is nested too deep');
  }
}

/**
 * Parses a body that must be a JSON object.
 * @throws GatewayError 2020
 */
export function parseBody(body: Buffer): JsonObject {
  let parsed: unknown;
  try {
    parsed = parseRequestJson(body.toString());
  } catch (error) {
    if (error instanceof TooManyValuesError) throw badBodyError(error.message);
  }
  if (!isObject(parsed)) throw new GatewayError(gatewayErrors.badBody);
  return parsed;
}

/** Types of bodies that no provider reads as JSON. */
const OPAQUE_TYPE = /^(?:multipart\/form-data|audio\/|image\/|video\/|application\/octet-stream)/i;

/** A provider-native request whose body cannot be read. */
export interface UnreadableCall {
  fault: BodyFault;
  /** The model, when the path names it. */
  inPath: string | undefined;
  body: Buffer;
  headers: GatewayRequest['headers'];
}

const OPENING_BRACE = 0x7b;
const LAST_WHITE_SPACE = 0x20;
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

function beginsObject(body: Buffer): boolean {
  const first = body.find((byte) => byte > LAST_WHITE_SPACE && !BYTE_ORDER_MARK.has(byte));
  return first === OPENING_BRACE;
}

/**
 * Checks a provider-native request whose body cannot be read. The provider judges the body, unless a limit must know which
 * model is paid for.
 * @throws GatewayError 2020
 */
export function checkUnreadable(
  { spendRules }: Gateway,
  { fault, inPath, body, headers }: UnreadableCall,
): void {
  if (fault === 'ambiguous') throw bodyFaultError(fault);
  if (spendRules.length === 0 || inPath !== undefined) return;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  const isOpaque = OPAQUE_TYPE.test(type) && encoding === 'identity' && !beginsObject(body);
  if (isOpaque && spendRules.every((rule) => rule.model === undefined)) return;
  throw badBodyError(
    'the body must be a JSON object that is not compressed and contains the model, because the gateway has spend limits',
  );
}
