import type { ErrorDefinition } from '../http/errors.ts';
import type { BodyFault, ModelFault } from './body-members.ts';
import type { Exchange } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { Gateway } from './gateways/gateway-store.ts';

const READ_MEMBERS = '"model", "stream", "stream_options" or "include_usage"';

export const oddStream: ErrorDefinition = {
  ...gatewayErrors.badBody,
  message: 'Bad format: stream must be true or false',
};

/** Why a body is refused whose model could not be read. */
export function refusalOf(fault: ModelFault): ErrorDefinition {
  const { badBody, badFormat } = gatewayErrors;
  switch (fault) {
    case 'missing':
      return badFormat;
    case 'not-json':
      return badBody;
    case 'ambiguous':
      return { ...badBody, message: `Bad format: duplicate member of the body: ${READ_MEMBERS}` };
    case 'too-deep':
      return { ...badBody, message: 'Bad format: the body is nested too deep' };
  }
}

/** Types of bodies that no provider reads as JSON. */
const OPAQUE_TYPE = /^(?:multipart\/form-data|audio\/|image\/|video\/|application\/octet-stream)/i;

/** A provider-native request whose body cannot be read. */
export interface UnreadableCall {
  fault: BodyFault;
  /** The model, when the path names it. */
  inPath: string | undefined;
  body: Buffer;
  headers: Exchange['headers'];
}

const OPENING_BRACE = 0x7b;
const LAST_WHITE_SPACE = 0x20;
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

function beginsObject(body: Buffer): boolean {
  const first = body.find((byte) => byte > LAST_WHITE_SPACE && !BYTE_ORDER_MARK.has(byte));
  return first === OPENING_BRACE;
}

/**
 * The refusal of a provider-native request whose body cannot be read. Where nothing is limited, it is the
 * provider that judges the body; a limit must know which model is paid for.
 */
export function refusalOfNative(
  { spendRules }: Gateway,
  { fault, inPath, body, headers }: UnreadableCall,
): ErrorDefinition | undefined {
  if (fault === 'ambiguous') return refusalOf(fault);
  if (spendRules.length === 0 || inPath !== undefined) return undefined;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  const isOpaque = OPAQUE_TYPE.test(type) && encoding === 'identity' && !beginsObject(body);
  if (isOpaque && spendRules.every((rule) => rule.model === undefined)) return undefined;
  const { badBody } = gatewayErrors;
  return {
    ...badBody,
    message: `${badBody.message} that is not compressed and contains the model, because the gateway has spend limits`,
  };
}
