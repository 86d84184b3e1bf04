import { readStored, writeStored } from '../../../lib/stored-text.ts';
import { type Exchange, stopped } from './conversation.ts';
import { EMPTY_DRAFT, type RequestDraft } from './request-draft.ts';

/** All that is on the page: what is typed, and what was said. */
export interface PlaygroundState {
  draft: RequestDraft;
  question: string;
  exchanges: readonly Exchange[];
}

// A browser keeps some five million characters for all pages of a tab together.
const MAX_KEPT_LENGTH = 1_000_000;

/** It stays in this tab, over a reload too. */
const keyOf = (accountId: string, gatewayId: string): string =>
  `latchkey:playground:${accountId}:${gatewayId}`;

/** What was left here before. */
export function readKept(accountId: string, gatewayId: string): PlaygroundState {
  const empty: PlaygroundState = { draft: EMPTY_DRAFT, question: '', exchanges: [] };
  try {
    const text = readStored('sessionStorage', keyOf(accountId, gatewayId));
    const kept: unknown = JSON.parse(text ?? 'null');
    return isLike(kept) ? { ...kept, exchanges: kept.exchanges.map(stopped) } : empty;
  } catch {
    return empty;
  }
}

/** Keeps what is on the page; of a very long conversation, what is typed. */
export function keep(accountId: string, gatewayId: string, state: PlaygroundState): void {
  const text = JSON.stringify(state);
  const isTooLong = text.length > MAX_KEPT_LENGTH;
  const kept = isTooLong ? JSON.stringify({ ...state, exchanges: [] }) : text;
  writeStored('sessionStorage', keyOf(accountId, gatewayId), kept);
}

/** Whether it is of this version. */
function isLike(kept: unknown): kept is PlaygroundState {
  if (typeof kept !== 'object' || kept === null) return false;
  const { draft, question, exchanges } = kept as Partial<Record<keyof PlaygroundState, unknown>>;
  return (
    typeof question === 'string' &&
    typeof draft === 'object' &&
    draft !== null &&
    Object.entries(EMPTY_DRAFT).every(
      ([name, example]) => typeof (draft as Record<string, unknown>)[name] === typeof example,
    ) &&
    Array.isArray(exchanges) &&
    exchanges.every(isExchange)
  );
}

function isExchange(value: unknown): value is Exchange {
  const { id, question, answer } = (value ?? {}) as Partial<Record<keyof Exchange, unknown>>;
  const { state, text, thoughts } = (answer ?? {}) as Record<string, unknown>;
  return [id, question, state, text, thoughts].every((field) => typeof field === 'string');
}
