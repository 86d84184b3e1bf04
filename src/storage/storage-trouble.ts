/** What is wrong with storage itself: the request is not at fault, and may succeed later. */
export interface StorageTrouble {
  /** In words, such as "storage is full". */
  reason: string;
  /** When it is worth another try. */
  retryAfterSeconds: number;
}

// What passes by itself.
const SOON_SECONDS = 1;
// Somebody has to make room, or to mend something.
const LATER_SECONDS = 10;
const MUCH_LATER_SECONDS = 60;

/** All that a caller, `/readyz` and the log are told. */
export const storageTroubles = {
  unreachable: { reason: 'storage is unreachable', retryAfterSeconds: SOON_SECONDS },
  busy: { reason: 'storage is locked by another process', retryAfterSeconds: SOON_SECONDS },
  full: { reason: 'storage is full', retryAfterSeconds: LATER_SECONDS },
  readOnly: { reason: 'storage is read-only', retryAfterSeconds: LATER_SECONDS },
  failing: { reason: 'storage cannot be read or written', retryAfterSeconds: LATER_SECONDS },
  damaged: { reason: 'storage is damaged', retryAfterSeconds: MUCH_LATER_SECONDS },
  replaced: {
    reason: 'storage was deleted or replaced while in use',
    retryAfterSeconds: MUCH_LATER_SECONDS,
  },
} as const satisfies Record<string, StorageTrouble>;
