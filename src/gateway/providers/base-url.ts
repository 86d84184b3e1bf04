import type { Endpoint } from './provider.ts';
import { trimEnd } from '../../lib/trim-end.ts';

const VERSION = /^v\d\w*$/;

/** Where a provider's API begins, and how paths are joined to it. */
export class BaseUrl {
  readonly #origin: string;
  /** Without a slash at its end; empty at the root. */
  readonly #path: string;
  readonly #query: URLSearchParams;
  /** What a path may repeat of the end of this address, longest first. */
  readonly #repeatable: readonly string[];

  /** @param url with or without a slash at its end, its query is added to each path */
  constructor(url: string) {
    const { origin, pathname, searchParams } = new URL(url);
    this.#origin = origin;
    this.#path = trimEnd(pathname, '/');
    this.#query = searchParams;
    const segments = this.#path.split('/').slice(1);
    this.#repeatable = VERSION.test(segments.at(-1) ?? '')
      ? segments.map((_segment, index) => `${segments.slice(index).join('/')}/`)
      : [];
  }

  /** @param path without a leading slash; may carry a query */
  at(path: string): Endpoint {
    return { origin: this.#origin, path: `${this.#path}/${this.#withQuery(path)}` };
  }

  /** A parameter of the path takes precedence. */
  #withQuery(path: string): string {
    if (this.#query.size === 0) return path;
    const mark = path.indexOf('?');
    const own = new URLSearchParams(mark < 0 ? '' : path.slice(mark));
    const added = [...this.#query].filter(([name]) => !own.has(name));
    if (added.length === 0) return path;
    return `${path}${mark < 0 ? '?' : '&'}${new URLSearchParams(added).toString()}`;
  }

  /**
   * As {@link BaseUrl.at}, but `v1/models` below an address that ends in `/v1` is `models`: some
   * clients begin their paths at the version, others behind it.
   */
  atUnversioned(path: string): Endpoint {
    const repeated = this.#repeatable.find((end) => path.startsWith(end));
    return this.at(repeated === undefined ? path : path.slice(repeated.length));
  }
}

/** An address without the version at its end, for APIs that have paths beside those of the version. */
export function withoutVersion(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname.replace(/\/v\d\w*\/*$/, '') + search;
}
