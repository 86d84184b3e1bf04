import { ProtocolError } from './protocol-error.ts';

/** Those that may be given several times: RFC 8707 section 2. */
const REPEATABLE: ReadonlySet<string> = new Set(['resource']);

/**
 * The parameters of a request of the protocols. One without a value counts as left out (RFC 6749
 * section 3.1), and one that is not known is ignored.
 */
export class Parameters {
  /** The names of those that are given twice and must not be (RFC 6749 section 3.1). */
  readonly repeated: readonly string[];
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const name of values.keys()) {
      if (seen.has(name) && !REPEATABLE.has(name)) repeated.add(name);
      seen.add(name);
    }
    this.repeated = [...repeated];
  }

  /** @throws ProtocolError invalid_request for a parameter that is given twice */
  refuseRepeated(): void {
    const [name] = this.repeated;
    if (name === undefined) return;
    throw new ProtocolError('invalid_request', `${name.slice(0, 100)} must not be repeated`);
  }

  /** The value of a parameter; undefined when it is missing or empty. */
  get(name: string): string | undefined {
    return this.#values.get(name) || undefined;
  }

  /** @throws ProtocolError invalid_request when it is missing or empty */
  require(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw new ProtocolError('invalid_request', `${name} is missing`);
    return value;
  }

  /** The values of one that may be repeated. */
  getAll(name: string): string[] {
    return this.#values.getAll(name).filter((value) => value !== '');
  }
}

/** The members of a space-separated list (RFC 6749 section 3.3), each once. */
export function readList(value: string | undefined): string[] {
  return [...new Set((value ?? '').split(' ').filter(Boolean))];
}
