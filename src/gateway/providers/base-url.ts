import type { Endpoint } from './provider.ts';
import { trimEnd } from '../../lib/trim-end.ts';

const VERSION = /^v\d\w*$/;

/** The base URL of an API. */
export class BaseUrl {
  readonly #origin: string;
  /** Without a trailing slash; empty at the root. */
  readonly #path: string;
  readonly #query: URLSearchParams;
  /** Ends of the base URL that a path may repeat, longest first. */
  readonly #repeatable: readonly string[];

  /** @param url with or without a trailing slash; its query is added to each path */
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

  /**
   * Returns the address of a path.
   * @param path without a leading slash; may have a query
   */
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
   * Like {@link BaseUrl.at}, but `v1/models` below a base URL that ends in `/v1` is `models`: the paths of some clients
   * begin with the version.
   */
  atUnversioned(path: string): Endpoint {
    const repeated = this.#repeatable.find((end) => path.startsWith(end));
    return this.at(repeated === undefined ? path : path.slice(repeated.length));
  }
}

/** Removes the version from the end of a base URL, for APIs that have paths besides those of the version. */
export function withoutVersion(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname.replace(/\/v\d\w*\/*$/, '') + search;
}
