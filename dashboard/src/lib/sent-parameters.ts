/** The parameters of an address as the authorization server reads them. */
export interface SentParameters {
  /** Undefined for one that is missing, or empty, which counts as left out (RFC 6749 section 3.1). */
  get(name: string): string | undefined;
  /** The values of one that may be given several times. */
  getAll(name: string): string[];
  names: readonly string[];
  /** Names of those that are given twice and must not be. */
  repeated: readonly string[];
  /** As they are written, before anything is decoded. */
  query: string;
}

/** Those that may be given several times: RFC 8707 section 2. */
const REPEATABLE: ReadonlySet<string> = new Set(['resource']);

/** Reads the query of an address. */
export function readParameters(query: string): SentParameters {
  const values = new URLSearchParams(query);
  const all = [...values.keys()];
  const names = [...new Set(all)];
  return {
    get: (name) => values.get(name) || undefined,
    getAll: (name) => values.getAll(name).filter((value) => value !== ''),
    names,
    repeated: names.filter(
      (name) => !REPEATABLE.has(name) && all.indexOf(name) !== all.lastIndexOf(name),
    ),
    query,
  };
}

/** The members of a space-separated list (RFC 6749 section 3.3), each once. */
export function readList(value: string | undefined): string[] {
  return [...new Set((value ?? '').split(' ').filter(Boolean))];
}
