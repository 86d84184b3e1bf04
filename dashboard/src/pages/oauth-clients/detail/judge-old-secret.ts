import type { OAuthClient } from '../../../api/oauth-clients.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { relativeTime } from '../../../ui/time.tsx';
import { duration } from './duration.ts';
import { DAY_MS } from '../../../lib/time-units.ts';
import { labels } from './labels.ts';

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
      title: labels.theOldSecretHasNever,
      text: labels.noApplicationUsesItYou,
    };
  }
  const when = relativeTime(old.last_used_at, nowMs);
  const quietMs = nowMs - Date.parse(old.last_used_at);
  if (quietMs >= QUIET_MS) {
    return {
      tone: 'good',
      isInUse: false,
      title: labels.theOldSecretHasNot(duration(quietMs)),
      text: labels.youCanDeleteItUnless,
    };
  }
  const isUsedSince = Date.parse(old.last_used_at) >= Date.parse(newest.created_at);
  return {
    tone: 'warning',
    isInUse: true,
    title: isUsedSince ? labels.theOldSecretIsStill(when) : labels.theOldSecretWasLast(when),
    text: labels.applicationsThatUseItStop(nextStep(newest, isUsedSince)),
  };
}

function nextStep(newest: Secret, isOldUsedSince: boolean): string {
  if (newest.last_used_at === null) {
    return labels.theNewSecretHasNot;
  }
  return isOldUsedSince ? labels.theNewSecretIsAlso : labels.onlyTheNewSecret;
}
