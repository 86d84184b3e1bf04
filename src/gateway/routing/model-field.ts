import {
  type BodyEdit,
  type BodyMembers,
  type ModelMember,
  readBodyMembers,
} from '../json/body-members.ts';
import { bodyFaultError } from './body-errors.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';

/** The `model` of a request body, which can be replaced. */
export interface ModelField {
  model: string;
  /** The members of the body before any replacement. */
  members: BodyMembers;
  /**
   * Returns the body with another model. May change the body in place. Call it once.
   * @param further other edits, in order
   */
  replace(model: string, further?: readonly BodyEdit[]): ReplacedBody;
}

export interface ReplacedBody {
  body: Buffer;
  /** The original body, in pieces. */
  received: readonly Buffer[];
}

/**
 * Finds the model that a JSON body names, without parsing or rewriting the body: it is forwarded byte for byte. A body with
 * two models is rejected, since the provider might read the other one.
 * @throws GatewayError 2019 if the body names no model, 2020 if it cannot be read
 */
export async function readModelField(body: Buffer, maxDepth: number): Promise<ModelField> {
  const members = await readBodyMembers(body, maxDepth);
  if (typeof members === 'string') throw bodyFaultError(members);
  const { model } = members;
  if (model === 'missing') throw new GatewayError(gatewayErrors.badFormat);
  return fieldOf(body, model, members);
}

function fieldOf(body: Buffer, member: ModelMember, members: BodyMembers): ModelField {
  const { model, start, end } = member;
  return {
    model,
    members,
    replace(replacement, further = []) {
      const text = JSON.stringify(replacement);
      if (further.length > 0) {
        const edits = [{ start, end, text }, ...further].toSorted((a, b) => a.start - b.start);
        return { body: editBody(body, edits), received: [body] };
      }
      return replaceBytes(body, start, end, text);
    },
  };
}

function replaceBytes(body: Buffer, start: number, end: number, text: string): ReplacedBody {
  const literal = Buffer.from(text);
  if (literal.length > end - start) {
    return { body: editBody(body, [{ start, end, text }]), received: [body] };
  }
  const original = Buffer.from(body.subarray(start, end));
  // JSON allows white space after a value, so no other byte has to move.
  literal.copy(body, start);
  body.fill(0x20, start + literal.length, end);
  return { body, received: [body.subarray(0, start), original, body.subarray(end)] };
}

/**
 * Returns a body with replaced ranges; all other bytes are unchanged.
 * @param edits in order; they do not overlap
 */
export function editBody(body: Buffer, edits: readonly BodyEdit[]): Buffer {
  const pieces: Buffer[] = [];
  let position = 0;
  for (const { start, end, text } of edits) {
    pieces.push(body.subarray(position, start), Buffer.from(text));
    position = end;
  }
  return Buffer.concat([...pieces, body.subarray(position)]);
}
