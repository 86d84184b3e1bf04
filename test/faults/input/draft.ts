/** JSON as it stands: for numbers and escapes that no value of this language has. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A request before it becomes bytes. Mutations change it in place. */
export interface Draft {
  method: string;
  /** As it goes over the wire. */
  path: string;
  /** As they go over the wire. */
  query: [string, string][];
  headers: [string, string][];
  /** Sent as JSON; undefined: no body. */
  json: unknown;
  /** Sent as an HTML form; undefined: no form. */
  form: [string, string][] | undefined;
  /** Sent instead of either. */
  bytes: Buffer | undefined;
  /** Sent instead of path and query. */
  target: string | undefined;
  /** `broken`: the other side can't tell where the body ends, so that anything may follow. */
  framing: 'length' | 'chunked' | 'broken';
  /** Changes of the JSON once it is text. */
  textChanges: ((text: string) => string)[];
  /** It may have come to another route than the one that it was made for. */
  isElsewhere: boolean;
}

/** A draft that nothing has been done to yet. */
export function newDraft(method: string, path: string): Draft {
  return {
    method,
    path,
    query: [],
    headers: [],
    json: undefined,
    form: undefined,
    bytes: undefined,
    target: undefined,
    framing: 'length',
    textChanges: [],
    isElsewhere: false,
  };
}

/** A copy that shares nothing that mutations change. */
export function cloneDraft(draft: Draft): Draft {
  return {
    ...draft,
    query: draft.query.map(([name, value]) => [name, value]),
    headers: draft.headers.map(([name, value]) => [name, value]),
    json: cloneJson(draft.json),
    form: draft.form?.map(([name, value]) => [name, value]),
    textChanges: [...draft.textChanges],
  };
}

function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson);
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  const copy = {};
  for (const [key, item] of Object.entries(value)) setMember(copy, key, cloneJson(item));
  return copy;
}

/** Sets a member of an object, also one of the name `__proto__`. */
export function setMember(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The value as JSON, raw parts as they stand. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`,
  );
  return `{${members.join(',')}}`;
}

/** What is sent as the body; undefined without one. */
export function bodyOf(draft: Draft): Buffer | undefined {
  if (draft.bytes !== undefined) return draft.bytes;
  if (draft.form !== undefined) {
    return Buffer.from(draft.form.map(([name, value]) => `${name}=${value}`).join('&'));
  }
  if (draft.json === undefined) return undefined;
  let text = toJson(draft.json);
  for (const change of draft.textChanges) text = change(text);
  return Buffer.from(text);
}

/** What stands in the request line between method and version. */
export function targetOf({ target, path, query }: Draft): string {
  if (target !== undefined) return target;
  if (query.length === 0) return path;
  return `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

/** Value of the first header of a name, in lower case. */
export function headerOf({ headers }: Draft, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** Puts a header in the place of all of its name. */
export function setHeader(draft: Draft, name: string, value: string): void {
  const lower = name.toLowerCase();
  draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== lower);
  draft.headers.push([name, value]);
}

/** The request as bytes. Texts that are not Latin-1 go as UTF-8. */
export function wireBytes(draft: Draft): Buffer {
  const body = bodyOf(draft);
  const lines = [`${draft.method} ${targetOf(draft)} HTTP/1.1`];
  if (headerOf(draft, 'host') === undefined) lines.push('host: localhost');
  for (const [name, value] of draft.headers) lines.push(`${name}: ${value}`);
  const head = (): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (body === undefined || draft.framing === 'broken') {
    return Buffer.concat([head(), body ?? Buffer.alloc(0)]);
  }
  if (draft.framing === 'chunked') {
    lines.push('transfer-encoding: chunked');
    const half = body.length >> 1;
    const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
    const chunks = pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]);
    return Buffer.concat([head(), ...chunks, Buffer.from('0\r\n\r\n')]);
  }
  lines.push(`content-length: ${body.length}`);
  return Buffer.concat([head(), body]);
}

const SHOWN_BYTES = 3_000;

/** What a person pastes to see it again: bytes for a socket, escaped as `printf '%b'` takes them. */
export function describeDraft(draft: Draft): string {
  const bytes = wireBytes(draft);
  const shown = bytes.subarray(0, SHOWN_BYTES).toString('latin1');
  const escaped = shown.replaceAll(/[^\x20-\x7e]|[\\']/g, (character) => {
    if (character === '\r') return '\\r';
    if (character === '\n') return '\\n';
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  const rest = bytes.length - SHOWN_BYTES;
  return rest > 0 ? `${escaped} … and ${rest} bytes` : escaped;
}
