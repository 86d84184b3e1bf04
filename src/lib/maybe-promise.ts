/** A value that is there at once when memory can answer, and later when it cannot. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value at once when it is there, and later when it is not. */
export function whenKnown<T, R>(
  value: MaybePromise<T>,
  proceed: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  if (!(value instanceof Promise)) return proceed(value);
  return value.then((known) => proceed(known));
}
