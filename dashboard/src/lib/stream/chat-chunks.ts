import { type JsonObject, isObject, listOf, memberOf, numberOf } from '../json-value.ts';
import { DONE, type StreamEvent } from './event-stream.ts';
import { type Growing, mergeDelta } from './merge-delta.ts';
import type { Assembled } from './assembled-stream.ts';

/** The chunks of a chat completion, or of the older completions, as the answer without streaming. */
export function assembleChat(
  chunks: readonly JsonObject[],
  events: readonly StreamEvent[],
): Assembled {
  const answer: Growing = {};
  const choices = new Map<number, Growing>();
  for (const chunk of chunks) {
    const { choices: _choices, ...head } = chunk;
    // Unlike a message, these are told whole each time.
    for (const [name, value] of Object.entries(head)) {
      if (value !== null || !Object.hasOwn(answer, name)) answer[name] = value;
    }
    for (const piece of listOf(chunk, 'choices')) addChoice(choices, piece);
  }
  if (typeof answer['object'] === 'string') {
    answer['object'] = answer['object'].replace(/\.chunk$/, '');
  }
  answer['choices'] = [...choices.entries()].sort(([a], [b]) => a - b).map(([, one]) => one);
  const isOver = events.some(({ data }) => data === DONE) || areOver(choices);
  return { answer, isComplete: isOver };
}

function addChoice(choices: Map<number, Growing>, piece: unknown): void {
  if (!isObject(piece)) return;
  const index = numberOf(piece, 'index') ?? 0;
  const choice = choices.get(index) ?? { index };
  choices.set(index, choice);
  const { delta, index: _index, ...others } = piece;
  if (isObject(delta)) {
    const message: Growing = isObject(choice['message']) ? { ...choice['message'] } : {};
    mergeDelta(message, delta);
    choice['message'] = message;
  }
  mergeDelta(choice, others);
}

function areOver(choices: ReadonlyMap<number, Growing>): boolean {
  if (choices.size === 0) return false;
  return [...choices.values()].every((one) => typeof memberOf(one, 'finish_reason') === 'string');
}
