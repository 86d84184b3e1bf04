import type { OAuthClient } from '../../../api/oauth-clients.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { relativeTime } from '../../../ui/time.tsx';
import { duration } from './duration.ts';
import { DAY_MS } from '../../../lib/time-units.ts';

type Secret = OAuthClient['secrets'][number];

/** What can be said about taking the old one of two secrets away. */
export interface Judgement {
  tone: Tone;
  isInUse: boolean;
  title: string;
  text: string;
}

// What runs once a week has come round by then.
const QUIET_MS = 7 * DAY_MS;

/** Whether anything still uses the old secret, as far as its last use tells. */
export function judgeOldSecret(old: Secret, newest: Secret, nowMs: number): Judgement {
  if (old.last_used_at === null) {
    return {
      tone: 'good',
      isInUse: false,
      title: 'The old secret has never been used',
      text: 'Nothing that works today depends on it: you can delete it.',
    };
  }
  const when = relativeTime(old.last_used_at, nowMs);
  const quietMs = nowMs - Date.parse(old.last_used_at);
  if (quietMs >= QUIET_MS) {
    return {
      tone: 'good',
      isInUse: false,
      title: `The old secret has not been used for ${duration(quietMs)}`,
      text: 'You can delete it, unless something uses it more rarely than that.',
    };
  }
  const isUsedSince = Date.parse(old.last_used_at) >= Date.parse(newest.created_at);
  return {
    tone: 'warning',
    isInUse: true,
    title: isUsedSince
      ? `The old secret is still in use: ${when}`
      : `The old secret was last used ${when}`,
    text: `Whatever uses it stops working when you delete it. ${nextStep(newest, isUsedSince)}`,
  };
}

function nextStep(newest: Secret, isOldUsedSince: boolean): string {
  if (newest.last_used_at === null) {
    return 'The new secret has not been used yet: give it to your application, everywhere it runs.';
  }
  return isOldUsedSince
    ? 'The new secret is in use too: look for a copy of your application that still has the old one.'
    : 'Since there is a new one nothing has used it, and the new one is in use: wait until you are sure.';
}
