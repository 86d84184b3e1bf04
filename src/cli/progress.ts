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
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #rows = 0;
  #isEnded = false;

  /**
   * @param total rows at most; undefined: nobody knows
   */
  constructor(stream: WriteStream, total: number | undefined) {
    this.#stream = stream;
    this.#total = total;
    const intervalMs = stream.isTTY ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS;
    this.#timer = setInterval(() => this.#show(), intervalMs);
    if (stream.isTTY) this.#show();
  }

  /** So many more rows are done. */
  advance(rows: number): void {
    this.#rows += rows;
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
    const line = describeProgress(this.#rows, this.#total, seconds);
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
 * @param total rows at most; undefined: nobody knows
 */
export function describeProgress(
  rows: number,
  total: number | undefined,
  seconds: number,
): { text: string; share: number | undefined } {
  const rate = seconds > 0 ? rows / seconds : 0;
  const speed = `${formatCount(rate)} rows/s`;
  if (total === undefined) {
    return { text: `${formatCount(rows)} rows  ${speed}`, share: undefined };
  }
  // More may be written meanwhile.
  const share = total === 0 ? 1 : Math.min(1, rows / total);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const parts = [`${percent}  ${formatCount(rows)} of ${formatCount(total)} rows`, speed];
  if (rate > 0) parts.push(`${formatDuration(Math.max(0, total - rows) / rate)} left`);
  return { text: parts.join('  '), share };
}

const COUNT_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `1,234,567`. */
export function formatCount(count: number): string {
  return COUNT_FORMAT.format(count);
}

/** `42 s`, `3 min 20 s`, `2 h 5 min`. */
function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
