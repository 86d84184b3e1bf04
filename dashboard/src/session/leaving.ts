let isLeaving = false;

/** Whether the person has been told that what is not saved is lost, and leaves all the same. */
export function isLeavingForGood(): boolean {
  return isLeaving;
}

/** Leaves the application, or loads it anew, without asking about what is not saved. */
export function leaveForGood(go: () => void): void {
  isLeaving = true;
  go();
}
