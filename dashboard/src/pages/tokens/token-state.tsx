import { useState } from 'react';
import type { ApiToken } from '../../api/tokens.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { serverNow } from '../../lib/server-time.ts';
import { labels } from './labels.ts';

/** What a token is worth at the moment. */
export type State = 'active' | 'disabled' | 'expired' | 'early' | 'soon';

// Time enough to make another one.
const SOON_MS = 7 * 86_400_000;

/** The state of a token: that of the API, and what its times say besides. */
export function stateOf(token: ApiToken, nowMs: number): State {
  if (token.status !== 'active') return token.status;
  if (token.not_before !== undefined && Date.parse(token.not_before) > nowMs) return 'early';
  const isSoon = token.expires_on !== undefined && Date.parse(token.expires_on) - nowMs < SOON_MS;
  return isSoon ? 'soon' : 'active';
}

/** Whether its time is over, whatever else it is. */
export function isOver(token: ApiToken, nowMs: number): boolean {
  return token.expires_on !== undefined && Date.parse(token.expires_on) <= nowMs;
}

const LOOKS: Readonly<Record<State, { tone: Tone; text: string }>> = {
  active: { tone: 'good', text: labels.active },
  disabled: { tone: 'neutral', text: labels.disabled },
  expired: { tone: 'danger', text: labels.expired },
  early: { tone: 'info', text: labels.notValidYet },
  soon: { tone: 'warning', text: labels.expiresSoon },
};

/** The state of a token in a word or two. */
export function TokenState({ token }: { token: ApiToken }) {
  const [nowMs] = useState(serverNow);
  // What is as it should be does not stand out in a list.
  return stateOf(token, nowMs) === 'active' ? LOOKS.active.text : <StateBadge token={token} />;
}

/** The same beside a title. */
export function StateBadge({ token }: { token: ApiToken }) {
  const [nowMs] = useState(serverNow);
  const { tone, text } = LOOKS[stateOf(token, nowMs)];
  return <Badge tone={tone}>{text}</Badge>;
}
