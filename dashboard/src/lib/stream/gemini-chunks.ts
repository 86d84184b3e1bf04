import { type JsonObject, isObject, listOf, memberOf, numberOf, textOf } from '../json-value.ts';
import type { Assembled } from './assembled-stream.ts';
import type { Growing } from './merge-delta.ts';

/** The pieces of Gemini's `streamGenerateContent` as one answer of `generateContent`. */
export function assembleGemini(chunks: readonly JsonObject[]): Assembled {
  const answer: Growing = {};
  const candidates = new Map<number, Growing>();
  for (const chunk of chunks) {
    const { candidates: _candidates, error: _error, ...head } = chunk;
    Object.assign(answer, head);
    for (const piece of listOf(chunk, 'candidates')) addCandidate(candidates, piece);
  }
  if (candidates.size > 0) answer['candidates'] = [...candidates.values()];
  const isOver = [...candidates.values()].every((one) => textOf(one, 'finishReason') !== undefined);
  const isBlocked = textOf(memberOf(answer, 'promptFeedback'), 'blockReason') !== undefined;
  return { answer, isComplete: isBlocked || (candidates.size > 0 && isOver) };
}

function addCandidate(candidates: Map<number, Growing>, piece: unknown): void {
  if (!isObject(piece)) return;
  const index = numberOf(piece, 'index') ?? 0;
  const candidate = candidates.get(index) ?? {};
  candidates.set(index, candidate);
  const former = memberOf(candidate, 'content');
  const content = memberOf(piece, 'content');
  Object.assign(candidate, piece);
  const parts = joined([...listOf(former, 'parts'), ...listOf(content, 'parts')]);
  candidate['content'] = {
    ...(isObject(former) && former),
    ...(isObject(content) && content),
    parts,
  };
}

/** Pieces of one text become that text; thoughts and what is said stay apart. */
function joined(parts: readonly unknown[]): unknown[] {
  const list: unknown[] = [];
  for (const part of parts) {
    const last = list.at(-1);
    if (isPlain(last) && isPlain(part) && last['thought'] === part['thought']) {
      list[list.length - 1] = { ...last, text: `${textOf(last, 'text')}${textOf(part, 'text')}` };
    } else list.push(part);
  }
  return list;
}

function isPlain(part: unknown): part is JsonObject {
  if (!isObject(part) || typeof part['text'] !== 'string') return false;
  return Object.keys(part).every((name) => name === 'text' || name === 'thought');
}
