/** The innermost message of an error. */
export function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof AggregateError) return causeOf(cause.errors[0]);
  if (error instanceof AggregateError) return causeOf(error.errors[0]);
  return cause instanceof Error ? cause.message : message;
}
