import type { Sample } from './samples.ts';

/** One thing that must hold, what was seen of it, and whether it holds. */
export interface Finding {
  what: string;
  seen: string;
  holds: boolean;
}

/** What was counted beside the samples. */
export interface Counted {
  done: number;
  failed: number;
  /** How often something was left out because the machine was too slow. */
  heldUp: number;
  /** Of the server, before the load and when all of its connections are gone. */
  descriptorsBefore: number;
  descriptorsAfter: number;
  /** What the log should have and has, and how many rows the server says that it has lost. */
  exchanges: number;
  logRows: number;
  lostLogRows: number;
}

// Until then caches fill up, and code becomes fast.
const WARM_UP_SHARE = 1 / 3;
/** What is no leak: how much more there may be at the end of the rest of the time than at its beginning. */
const MAX_GROWTH = 0.1;
/** The heap is swept from time to time: what counts is the least of each stretch. */
const STRETCHES = 20;
const BYTES_PER_MIB = 1024 * 1024;

/** The samples after the warm-up. */
export function settled(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
}

/** @throws RangeError with fewer samples than two after the warm-up */
export function judge(samples: readonly Sample[], counted: Counted): Finding[] {
  const { done, failed, heldUp, exchanges, logRows, lostLogRows } = counted;
  const later = settled(samples);
  if (later.length < 2) throw new RangeError('too few samples');
  return [
    {
      what: 'All responses are correct',
      seen: `${done} correct, ${failed} incorrect, ${heldUp} skipped on a busy machine`,
      holds: failed === 0 && done > 0,
    },
    {
      what: 'Every gateway request has a log row',
      seen: `${logRows} rows for ${exchanges} requests, ${lostLogRows} dropped`,
      holds: logRows === exchanges && lostLogRows === 0,
    },
    findGrowth(
      'Resident memory without page caches is flat',
      later,
      (one) => one.residentBytes - one.pageCacheBytes,
    ),
    findGrowth('Heap is flat', later, (one) => one.heapBytes),
    findGrowth('External memory is flat', later, (one) => one.externalBytes),
    {
      what: 'No descriptor leaks',
      seen: `${counted.descriptorsBefore} before the load, ${counted.descriptorsAfter} after it`,
      holds: counted.descriptorsAfter <= counted.descriptorsBefore,
    },
    {
      what: 'No thread leaks',
      seen: `${later[0]?.threads} after the warm-up, ${later.at(-1)?.threads} at the end`,
      // It is unknown on some systems.
      holds: !((later.at(-1)?.threads ?? 0) > (later[0]?.threads ?? 0)),
    },
    {
      what: 'The log queue stays short',
      seen: `${Math.max(...later.map((one) => one.queuedLogRows))} queued at most`,
      holds: later.at(-1)?.queuedLogRows === 0 || isSmall(later),
    },
  ];
}

// A batch is written each 50 ms, or as soon as the one before is.
const ROWS_OF_A_SECOND = 50;
const isSmall = (later: readonly Sample[]): boolean =>
  (later.at(-1)?.queuedLogRows ?? Infinity) <= ROWS_OF_A_SECOND;

function findGrowth(
  what: string,
  samples: readonly Sample[],
  pick: (one: Sample) => number,
): Finding {
  const points = leastOfStretches(samples, pick);
  const { from, to } = lineThrough(points);
  const growth = to / from - 1;
  const mib = (bytes: number): string => (bytes / BYTES_PER_MIB).toFixed(1);
  return {
    what,
    seen: `${mib(from)} → ${mib(to)} MiB, ${growth < 0 ? '' : '+'}${(growth * 100).toFixed(1)} %`,
    holds: growth <= MAX_GROWTH,
  };
}

type Point = readonly [x: number, y: number];

function leastOfStretches(
  samples: readonly Sample[],
  pick: (one: Sample) => number,
): readonly Point[] {
  const length = Math.max(1, Math.floor(samples.length / STRETCHES));
  const points: Point[] = [];
  for (let from = 0; from < samples.length; from += length) {
    const some = samples.slice(from, from + length);
    const [first] = some;
    if (first !== undefined) points.push([first.atSeconds, Math.min(...some.map(pick))]);
  }
  return points;
}

/** Where the line of least squares begins and ends. */
function lineThrough(points: readonly Point[]): { from: number; to: number } {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [middleX, middleY] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = mean(([x]) => (x - middleX) ** 2);
  const slope = spread === 0 ? 0 : mean(([x, y]) => (x - middleX) * (y - middleY)) / spread;
  const at = (point: Point | undefined): number =>
    middleY + slope * ((point?.[0] ?? middleX) - middleX);
  return { from: at(points[0]), to: at(points.at(-1)) };
}
