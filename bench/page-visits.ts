import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request } from '../test/support/chromium.ts';

/** What somebody waits for who opens a page, and how it scrolls then. */
export interface PageVisit {
  /** From the click on a link until everything is there: no request is under way and nothing is loading. */
  fromLinkMs: number;
  /** The same with the whole application, as from a bookmark; the browser has its files. */
  openedMs: number;
  /** The longest time between two frames while it is scrolled from top to bottom. */
  longestFrameMs: number;
  /** Frames that took longer than {@link LONG_FRAME_MS}. */
  longFrames: number;
  frames: number;
  /** Elements that the page has. */
  elements: number;
  /** What it asked of the API for, from the link on. */
  requests: number;
}

/** Longer than that, and eyes notice. */
export const LONG_FRAME_MS = 50;

const LOOK_INTERVAL_MS = 5;
const PATIENCE_MS = 30_000;
const WHEEL_PX = 240;
const MAX_WHEELS = 60;

/** Where a visit by link begins: a page that reads nothing of the account. */
const ELSEWHERE = '/profile';

/** Opens a page in both ways, and scrolls through it. */
export async function visit(page: Page, origin: string, address: string): Promise<PageVisit> {
  const requests = new ApiRequests(page);
  await page.goto(origin + ELSEWHERE);
  await untilUsable(page, requests, '');
  const title = await page.title();
  const before = requests.count;
  const fromLinkMs = await measure(page, requests, title, () =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`),
  );
  const asked = requests.count - before;
  const openedMs = await measure(page, requests, title, () => page.goto(origin + address));
  const scrolled = await scroll(page);
  const elements: number = await page.evaluate(`document.getElementsByTagName('*').length`);
  requests.stop();
  return { fromLinkMs, openedMs, ...scrolled, elements, requests: asked };
}

async function measure(
  page: Page,
  requests: ApiRequests,
  lastTitle: string,
  go: () => Promise<unknown>,
): Promise<number> {
  const beganAtMs = performance.now();
  await go();
  return (await untilUsable(page, requests, lastTitle)) - beganAtMs;
}

const IS_SHOWN = `
  document.querySelector('h1') !== null && document.querySelector('.skeleton') === null &&
  !document.body.innerText.includes('Loading…') && document.title
`;

/** Waits until another page than that of a title is there. @returns since when, as `performance.now()` says */
async function untilUsable(page: Page, requests: ApiRequests, lastTitle: string): Promise<number> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  let sinceMs: number | undefined;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs > deadlineMs) throw new Error(`${page.url()} is not usable`);
    const counted = requests.count;
    const title: unknown = await page.evaluate(IS_SHOWN);
    const isThere = typeof title === 'string' && title !== lastTitle && requests.underWay === 0;
    // What it has asked for meanwhile may change it once more.
    if (isThere && counted === requests.count) {
      if (sinceMs !== undefined && performance.now() - sinceMs > 10 * LOOK_INTERVAL_MS)
        return sinceMs;
      sinceMs ??= performance.now();
    } else {
      sinceMs = undefined;
    }
    await delay(LOOK_INTERVAL_MS);
  }
}

const BEGIN_FRAMES = `
  globalThis.benchFrames = [];
  (function next(last) {
    requestAnimationFrame((now) => {
      if (globalThis.benchFrames === undefined) return;
      globalThis.benchFrames.push(now - last);
      next(now);
    });
  })(performance.now());
`;
const END_FRAMES = `
  (() => { const frames = globalThis.benchFrames; delete globalThis.benchFrames; return frames; })()
`;
const IS_AT_END = `scrollY + innerHeight >= document.documentElement.scrollHeight - 1`;

async function scroll(
  page: Page,
): Promise<Pick<PageVisit, 'longestFrameMs' | 'longFrames' | 'frames'>> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.mouse.move(width / 2, height / 2);
  await page.evaluate(BEGIN_FRAMES);
  for (let wheel = 0; wheel < MAX_WHEELS; wheel++) {
    await page.mouse.wheel(0, WHEEL_PX);
    if (await page.evaluate(IS_AT_END)) break;
  }
  const frames: number[] = await page.evaluate(END_FRAMES);
  return {
    longestFrameMs: Math.max(0, ...frames),
    longFrames: frames.filter((ms) => ms > LONG_FRAME_MS).length,
    frames: frames.length,
  };
}

/** The requests to the API that a page makes. */
class ApiRequests {
  count = 0;
  underWay = 0;
  readonly #page: Page;
  readonly #begun = (request: Request): void => {
    if (!isOfApi(request)) return;
    this.count++;
    this.underWay++;
  };
  readonly #ended = (request: Request): void => {
    if (isOfApi(request)) this.underWay--;
  };

  constructor(page: Page) {
    this.#page = page;
    page.on('request', this.#begun);
    page.on('requestfinished', this.#ended);
    page.on('requestfailed', this.#ended);
  }

  stop(): void {
    this.#page.off('request', this.#begun);
    this.#page.off('requestfinished', this.#ended);
    this.#page.off('requestfailed', this.#ended);
  }
}

function isOfApi(request: Request): boolean {
  return request.url().includes('/client/v4/');
}
