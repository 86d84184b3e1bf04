import type { WriteStream } from 'node:tty';

const REDRAW_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
const BAR_WIDTH = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001B[K';

/** How far a long command has come: a bar on a terminal, otherwise a line every few seconds. */
export class Progress {
  readonly #stream: WriteStream;
  readonly #total: number | undefined;
  readonly #unit: string;
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #done = 0;
  #isEnded = false;

  /**
   * @param total of them at most; undefined: nobody knows
   * @param unit what is counted
   */
  constructor(stream: WriteStream, total: number | undefined, unit = 'rows') {
    this.#stream = stream;
    this.#total = total;
    this.#unit = unit;
    const intervalMs = stream.isTTY ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS;
    this.#timer = setInterval(() => this.#show(), intervalMs);
    if (stream.isTTY) this.#show();
  }

  /** So many more are done. */
  advance(count: number): void {
    this.#done += count;
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE);
  }

  #show(): void {
    const seconds = (performance.now() - this.#startMs) / 1_000;
    const line = describeProgress(this.#done, this.#total, seconds, this.#unit);
    if (!this.#stream.isTTY) {
      this.#stream.write(`${line.text}\n`);
      return;
    }
    const columns = this.#stream.columns || DEFAULT_COLUMNS;
    const bar = line.share === undefined ? '' : `[${barOf(line.share)}] `;
    // A line that breaks could not be taken away again.
    this.#stream.write(CLEAR_LINE + (bar + line.text).slice(0, columns - 1));
  }
}

function barOf(share: number): string {
  return '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '-');
}

/**
 * How far it has come, in words, and as a part of the whole where that is known.
 * @param total of them at most; undefined: nobody knows
 */
export function describeProgress(
  done: number,
  total: number | undefined,
  seconds: number,
  unit = 'rows',
): { text: string; share: number | undefined } {
  const rate = seconds > 0 ? done / seconds : 0;
  const speed = `${formatCount(rate)} ${unit}/s`;
  if (total === undefined) {
    return { text: `${formatCount(done)} ${unit}  ${speed}`, share: undefined };
  }
  // More may be written meanwhile.
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const parts = [`${percent}  ${formatCount(done)} of ${formatCount(total)} ${unit}`, speed];
  if (rate > 0) parts.push(`${formatDuration(Math.max(0, total - done) / rate)} left`);
  return { text: parts.join('  '), share };
}

const COUNT_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `1,234,567`. */
export function formatCount(count: number): string {
  return COUNT_FORMAT.format(count);
}

/** One of what {@link formatMib} shows. */
export const BYTES_PER_MIB = 1024 * 1024;

/** Such as `12 MiB`. */
export function formatMib(bytes: number): string {
  return `${formatCount(Math.ceil(bytes / BYTES_PER_MIB))} MiB`;
}

/** `42 s`, `3 min 20 s`, `2 h 5 min`. */
function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
