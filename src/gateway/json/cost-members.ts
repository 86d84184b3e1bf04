/** Members of a request that limit the cost of a call. A dot precedes a member of an object. */
const WANTED: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'best_of',
  'service_tier',
  'speed',
  'inference_geo',
  'background',
  'generationConfig.maxOutputTokens',
  'generationConfig.candidateCount',
  'generation_config.max_output_tokens',
  'generation_config.candidate_count',
  'inferenceConfig.maxTokens',
  'options.num_predict',
  'serviceTier.type',
]);

const HOLDERS: ReadonlySet<string> = new Set(
  [...WANTED].flatMap((name) => (name.includes('.') ? (name.split('.', 1)[0] ?? '') : [])),
);

/** A number, a string or a boolean of a request; `odd`: two members with the same name differ. */
export type CostMember = number | string | boolean | { odd: true };

const ODD: CostMember = { odd: true };
const MAX_SCALAR_BYTES = 64;
const SCALAR = /^(?:"([^"\\]*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false))/;

const QUOTE = 0x22;
const OPENING_BRACE = 0x7b;

// Shorter strings are text, or cost little.
const MIN_MEDIA_BYTES = 2_048;
const MEDIA_SAMPLES = 64;
const DATA_URL = Buffer.from('"data:');

/**
 * Collects the members that bound the cost of a call while the body is walked: output limits and the
 * service tier. It also measures base64 media, which take far fewer tokens than text.
 */
export class CostMembers {
  readonly #body: Buffer;
  readonly #found = new Map<string, CostMember>();
  #holder: string | undefined;
  #mediaBytes = 0;
  #mediaParts = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** The current position is in an object that may have such members. */
  get isInHolder(): boolean {
    return this.#holder !== undefined;
  }

  /** Bytes of strings with media. */
  get mediaBytes(): number {
    return this.#mediaBytes;
  }

  /** The number of these strings. */
  get mediaParts(): number {
    return this.#mediaParts;
  }

  /** @param name as in the body, with a dot before the name of a member of an object */
  get(name: string): CostMember | undefined {
    return this.#found.get(name);
  }

  /** @param value position of the value */
  takeMember(key: string, value: number, depth: number): void {
    if (depth === 1 && HOLDERS.has(key) && this.#body[value] === OPENING_BRACE) {
      this.#holder = key;
      return;
    }
    const name = depth === 1 ? key : `${this.#holder ?? ''}.${key}`;
    if (!WANTED.has(name)) return;
    const scalar = this.#readScalar(value);
    if (scalar === undefined) return;
    const former = this.#found.get(name);
    this.#found.set(name, former === undefined || former === scalar ? scalar : ODD);
  }

  /** Ends a member of the outermost object. */
  endMember(): void {
    this.#holder = undefined;
  }

  /** @param start position of the opening quote; `end` is after the closing one */
  takeString(start: number, end: number): void {
    if (end - start < MIN_MEDIA_BYTES || !this.#isMedia(start, end)) return;
    this.#mediaBytes += end - start;
    this.#mediaParts++;
  }

  #readScalar(start: number): CostMember | undefined {
    const text = this.#body.toString('latin1', start, start + MAX_SCALAR_BYTES);
    const found = SCALAR.exec(text);
    if (found === null) return this.#body[start] === QUOTE ? ODD : undefined;
    const [, string, number, literal] = found;
    if (string !== undefined) return string;
    return number === undefined ? literal === 'true' : Number(number);
  }

  /** Text has spaces or punctuation, base64 has none. */
  #isMedia(start: number, end: number): boolean {
    const body = this.#body;
    if (body.subarray(start, start + DATA_URL.length).equals(DATA_URL)) return true;
    const step = Math.max(1, Math.floor((end - start - 2) / MEDIA_SAMPLES));
    for (let position = start + 1; position < end - 1; position += step) {
      if (!isBase64(body[position] ?? 0)) return false;
    }
    return true;
  }
}

function isBase64(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x2f && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x5f ||
    byte === 0x3d
  );
}
