import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from '../../support/server.ts';
import type { NoAnswer, WireAnswer } from './connection.ts';
import { type Draft, bodyOf, targetOf, wireBytes } from './draft.ts';
import type { Kind, Operation } from './operations.ts';

/** What is wrong with an answer. */
export interface Fault {
  /** The same for all requests that show the same. */
  key: string;
  detail: string;
}

/** Traces of what stands behind the API. */
const TRACES: readonly RegExp[] = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules|node:internal|file:\/\/\//,
  /\/(src|dist|lib)\/[\w/-]+\.[jt]s\b/,
  // An error code, unlike the names of the metrics.
  /\bSQLITE_[A-Z]/,
  /constraint failed|duplicate key value|syntax error at or near|invalid byte sequence|violates /i,
  /\b(select|insert into|update|delete from) ["`][a-z_]+["`]/,
  /\$argon2|-----BEGIN/,
  /E(CONNREFUSED|NOENT|PIPE|MFILE|ACCES)\b/,
  /FST_ERR|TypeError|RangeError|Cannot read properties/,
];

const QUOTED_LENGTH = 300;
const MAX_READ_BYTES = 300_000;
// What a socket takes at once: more may still be on its way when the refusal comes.
const MAX_UPLOAD_BYTES = 65_536;

/** Judges answers by what the API promises for every request, whatever it is. */
export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, logger: false });
  readonly #checks = new Map<Json, ValidateFunction>();
  readonly #components: Json;
  readonly #secrets: readonly string[];

  constructor(document: Json, secrets: readonly string[]) {
    this.#components = document.components;
    this.#secrets = secrets;
  }

  /** What is wrong with the answer to a request; undefined when nothing is. */
  judge(operation: Operation, draft: Draft, answer: WireAnswer | NoAnswer): Fault | undefined {
    const name = `${operation.method} ${operation.path}`;
    if (typeof answer === 'string') return judgeSilence(name, draft, answer);
    const problem =
      judgeStatus(operation, draft, answer) ??
      judgeHeaders(answer) ??
      this.#judgeContent(operation, draft, answer);
    if (problem === undefined) return undefined;
    const [what, detail = ''] = Array.isArray(problem) ? problem : [problem];
    const quoted = answer.body.subarray(0, QUOTED_LENGTH).toString();
    return { key: `${name}: ${what}`, detail: `${detail} ${answer.status} ${quoted}`.trim() };
  }

  #judgeContent(
    operation: Operation,
    draft: Draft,
    answer: WireAnswer,
  ): string | [string, string] | undefined {
    const { status, headers, body } = answer;
    if (body.length > MAX_READ_BYTES || operation.path.includes('{file}')) return undefined;
    const text = body.toString();
    const leak = this.#findLeak(text, draft);
    if (leak !== undefined) return leak;
    const type = headers.get('content-type') ?? '';
    if (draft.method === 'HEAD' || status === 204 || body.length === 0) return undefined;
    if (mayBeRaw(operation, draft, status)) return undefined;
    if (!/^application\/(problem\+)?json/.test(type)) {
      return status >= 400 && operation.kind === 'management' && !draft.isElsewhere
        ? `${status} is ${type}`
        : undefined;
    }
    const json = parse(text);
    if (json === undefined && headers.get('x-inference-id') === undefined) {
      return `${status} is no JSON`;
    }
    if (operation.kind !== 'management' || draft.isElsewhere) return undefined;
    return this.#judgeShape(operation, status, type, json);
  }

  #judgeShape(
    { responses }: Operation,
    status: number,
    type: string,
    json: Json,
  ): [string, string] | undefined {
    const { Failure, Problem } = this.#components.schemas;
    const failure = type.startsWith('application/problem') ? Problem : Failure;
    const schema = status >= 400 ? failure : responses?.get(status);
    if (schema === undefined) return undefined;
    const check =
      this.#checks.get(schema) ?? this.#ajv.compile({ ...schema, components: this.#components });
    this.#checks.set(schema, check);
    return check(json)
      ? undefined
      : [`${status} is not what the document says`, this.#ajv.errorsText(check.errors)];
  }

  #findLeak(text: string, draft: Draft): [string, string] | undefined {
    for (const pattern of TRACES) {
      const found = pattern.exec(text)?.[0];
      if (found !== undefined && !holds(draft, found))
        return [`the answer tells ${String(pattern)}`, found];
    }
    if (text.includes('lk') || text.includes('sk-')) {
      const leaked = this.#secrets.find((secret) => text.includes(secret));
      if (leaked !== undefined && !wireBytes(draft).includes(leaked)) {
        return [`the answer tells a secret`, leaked.slice(0, 8)];
      }
    }
    return undefined;
  }
}

/** Whether the answer may be what a provider once said, whatever that calls itself. */
function mayBeRaw({ kind, responses }: Operation, draft: Draft, status: number): boolean {
  if (kind !== 'management' || status >= 400) return false;
  return draft.isElsewhere || responses?.get(status) === undefined;
}

/** Whether the request itself holds the text, as it stands or encoded. */
function holds(draft: Draft, found: string): boolean {
  const sent = `${targetOf(draft)}\n${bodyOf(draft)?.toString() ?? ''}`;
  return sent.includes(found) || decodeAsFar(sent).includes(found);
}

function decodeAsFar(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function judgeSilence(name: string, draft: Draft, answer: NoAnswer): Fault | undefined {
  if (answer === 'malformed') return { key: `${name}: the answer is no HTTP`, detail: '' };
  // What it began must not end as if it were whole.
  if (answer === 'cut by the upstream') return undefined;
  // Whoever breaks the framing may wait for ever, or be cut off.
  if (draft.framing === 'broken') return undefined;
  // The refusal may be lost when the connection ends before the body was taken.
  if (answer === 'closed' && (bodyOf(draft)?.length ?? 0) > MAX_UPLOAD_BYTES) return undefined;
  return { key: `${name}: no answer, ${answer}`, detail: '' };
}

/** Refusals of HTTP itself, before there is an operation, and what any address may be slowed down with. */
const OF_HTTP = new Set([408, 417, 431]);

function judgeStatus(operation: Operation, draft: Draft, answer: WireAnswer): string | undefined {
  const { status } = answer;
  if (status >= 500)
    return isDeclaredTrouble(operation, draft, answer) ? undefined : `status ${status}`;
  const { responses } = operation;
  if (responses === undefined || draft.isElsewhere || draft.framing === 'broken') return undefined;
  if (responses.has(status) || OF_HTTP.has(status)) return undefined;
  return `status ${status} is not declared`;
}

/** The 5xx that contracts ask for: of tags (1004), and what the gateway says of its upstream. */
function isDeclaredTrouble(
  { kind, path }: Operation,
  draft: Draft,
  { status, headers, body }: WireAnswer,
): boolean {
  if (headers.get('x-inference-id') !== undefined) return true;
  const isHead = draft.method === 'HEAD';
  const json = parse(body.toString());
  const code = Number(json?.errors?.[0]?.code ?? json?.error?.[0]?.code);
  if (status === 500 && (path.endsWith('/tags') || draft.isElsewhere)) {
    return headers.get('x-should-retry') === 'false' && (code === 1004 || isHead);
  }
  const isGateway: boolean = kind === ('gateway' satisfies Kind) || draft.isElsewhere;
  const { message = '' } = json?.error?.[0] ?? json?.errors?.[0] ?? json?.error ?? {};
  if (!isGateway) return false;
  if (status === 502) return code === 2005 || isHead || /from provider/.test(message);
  return status === 504 && (code === 2006 || isHead || /timed out/.test(message));
}

function judgeHeaders({ status, headers }: WireAnswer): string | undefined {
  if (headers.has('x-injected')) return 'a header was injected';
  if (status !== 101 && !headers.has('x-request-id')) return `${status} without x-request-id`;
  if (status !== 101 && headers.get('x-content-type-options') !== 'nosniff')
    return `${status} without nosniff`;
  return undefined;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
