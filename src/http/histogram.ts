/** The observations with one combination of label values. */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  /** Observations per bucket; the last bucket has no bound. */
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /**
   * Counts a value, in the unit of the metric.
   * @throws TypeError if the value is not finite, because the sum would stay unusable
   */
  observe(value: number): void {
    if (!Number.isFinite(value)) throw new TypeError(`cannot observe ${value}`);
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const index = found === -1 ? this.#bounds.length : found;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Returns the lines of the series in the Prometheus text format. */
  lines(name: string, labels: string): string[] {
    let count = 0;
    const buckets = this.#counts.map((inBucket, index) => {
      count += inBucket;
      return `${name}_bucket{le="${this.#bounds[index] ?? '+Inf'}",${labels}} ${count}`;
    });
    return [...buckets, `${name}_sum{${labels}} ${this.#sum}`, `${name}_count{${labels}} ${count}`];
  }
}

/**
 * A histogram for the path of a request: its user keeps the series. Histograms of prom-client look up the series for every
 * value, which takes a microsecond.
 */
export class Histogram<Label extends string> {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, HistogramSeries>();

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  /** Returns the series of a combination of label values. */
  series(labels: Readonly<Record<Label, string>>): HistogramSeries {
    const key = Object.entries<string>(labels)
      .map(([label, value]) => `${label}="${escaped(value)}"`)
      .join(',');
    const existing = this.#series.get(key);
    if (existing !== undefined) return existing;
    const series = new HistogramSeries(this.#bounds);
    this.#series.set(key, series);
    return series;
  }

  /** Returns all series in the Prometheus text format. */
  text(): string {
    const series = [...this.#series].flatMap(([labels, one]) => one.lines(this.#name, labels));
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    return `${[...head, ...series].join('\n')}\n`;
  }
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
