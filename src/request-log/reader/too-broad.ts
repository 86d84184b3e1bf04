/** Threads pass on only the message of an error. */
const TOO_BROAD = 'the search for the selected logs takes too long';

/** The rows of a page were not found in time. */
export class SelectionTooBroad extends Error {
  constructor() {
    super(TOO_BROAD);
  }
}

/** Returns true for this error, from any thread. */
export function isSelectionTooBroad(error: unknown): boolean {
  return error instanceof Error && error.message === TOO_BROAD;
}
