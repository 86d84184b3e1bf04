import { createHash } from 'node:crypto';
import type { Json } from '../server.ts';

/** A tool call that the model makes. */
export interface ModelCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** A reply of the model, in the order thought, text, calls. */
export interface ModelReply {
  /** Sent only where the request enables reasoning. */
  thought?: string;
  text?: string;
  calls?: ModelCall[];
}

/** A request in the terms that all dialects share. */
export interface ModelRequest {
  model: string;
  /** Names of the declared functions. */
  tools: string[];
  /** Texts of the conversation by role, in order. */
  turns: ModelTurn[];
}

export interface ModelTurn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Images, in Base64. */
  images: string[];
  calls: ModelCall[];
}

/** Decides the reply. */
export type ModelScript = (request: ModelRequest) => ModelReply;

/** A request that the provider refuses with status 400. */
export class RefusedRequest extends Error {}

/** One event of a stream. */
export interface StreamEvent {
  name?: string;
  data: unknown;
}

/** A dialect: reads requests strictly, as the provider does, and writes replies. */
export interface AgentDialect {
  /** @throws RefusedRequest for a conversation that the provider refuses */
  read(body: Body, path: string): ModelRequest;
  write(reply: ModelReply, body: Body): object;
  stream(reply: ModelReply, body: Body): Iterable<StreamEvent>;
  /** The last event of a stream, unless the dialect has none. */
  terminator?: string;
  error(message: string): object;
}

/** The JSON body of a provider request. */
export type Body = Json;

/** @throws RefusedRequest */
export function demand(condition: unknown, message: string): asserts condition {
  if (condition === undefined || condition === null || condition === false || condition === '')
    throw new RefusedRequest(message);
}

/** @throws RefusedRequest for anything but a JSON object */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    demand(
      typeof value === 'object' && value !== null && !Array.isArray(value),
      'arguments must be an object',
    );
    return value as Record<string, unknown>;
  } catch {
    throw new RefusedRequest(`the arguments are not JSON: ${text}`);
  }
}

/** @throws RefusedRequest for another address than `data:` */
export function imageOf(url: string): string {
  const [, base64] = /^data:image\/png;base64,(.*)$/.exec(url) ?? [];
  demand(base64, `no image: ${url}`);
  return base64;
}

/** Splits a text as providers do, so that no piece means anything alone. */
export function pieces(text: string): string[] {
  return text.match(/.{1,7}/gs) ?? [];
}

let last = 0;
/** A new identifier: unlike the others from its first characters on, because some clients shorten it. */
export function nextId(prefix: string, digits = 20): string {
  last += 1;
  return `${prefix}${createHash('sha256').update(String(last)).digest('hex').slice(0, digits)}`;
}
