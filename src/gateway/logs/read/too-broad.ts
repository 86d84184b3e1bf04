/** Threads hand over what an error says, and nothing else of it. */
const TOO_BROAD = 'the search for the selected logs takes too long';

/** The rows of a page could not be found in the time that there is for it. */
export class SelectionTooBroad extends Error {
  constructor() {
    super(TOO_BROAD);
  }
}

/** Whether an error is that one, whichever thread it comes from. */
export function isSelectionTooBroad(error: unknown): boolean {
  return error instanceof Error && error.message === TOO_BROAD;
}
