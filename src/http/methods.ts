/** The methods that a path may have; to any other there is no path at all. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The methods that a path does not have, and answers with 405. */
export function methodsBesides(allowed: readonly string[]): (typeof METHODS)[number][] {
  return METHODS.filter((method) => !allowed.includes(method));
}
