/**
 * An error of normal operation, such as an invalid request. It has no stack trace, which would cost more than the rest of
 * its handling.
 */
export class ExpectedError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
