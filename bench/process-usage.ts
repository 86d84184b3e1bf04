import { readFileSync, readdirSync } from 'node:fs';

/** What a process uses while something happens: the most of what was seen. */
export interface Usage {
  residentBytes: number;
  descriptors: number;
}

const SAMPLE_INTERVAL_MS = 250;
const BYTES_PER_KIB = 1024;

/** Memory and descriptors of a process and its children now, as Linux counts them in /proc. */
export function usageOf(pid: number): Usage {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const residentKib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
  const own = {
    residentBytes: residentKib * BYTES_PER_KIB,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
  return [own, ...children.map((child) => usageOf(Number(child)))].reduce((sum, one) => ({
    residentBytes: sum.residentBytes + one.residentBytes,
    descriptors: sum.descriptors + one.descriptors,
  }));
}

/** Looks at a process again and again until told to stop. */
export class UsageWatch {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #most: Usage = { residentBytes: 0, descriptors: 0 };

  constructor(pid: number) {
    this.#pid = pid;
    this.#look();
    this.#timer = setInterval(() => this.#look(), SAMPLE_INTERVAL_MS);
  }

  #look(): void {
    const { residentBytes, descriptors } = usageOf(this.#pid);
    this.#most = {
      residentBytes: Math.max(this.#most.residentBytes, residentBytes),
      descriptors: Math.max(this.#most.descriptors, descriptors),
    };
  }

  stop(): Usage {
    clearInterval(this.#timer);
    this.#look();
    return this.#most;
  }
}
