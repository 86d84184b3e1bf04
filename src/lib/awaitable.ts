/** The result of a lookup that memory mostly answers. Await it; the type states only that a cache need not wait. */
export type Awaitable<T> = T | Promise<T>;
