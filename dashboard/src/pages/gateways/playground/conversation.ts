import type { Fault } from './fault.ts';

/** What the model has answered so far. */
export interface Answer {
  state: 'coming' | 'whole' | 'stopped' | 'failed';
  text: string;
  /** What it thought before, where it tells. */
  thoughts: string;
  /** Why it ended, in the word of the API: `stop`, `length`. */
  finish?: string;
  fault?: Fault;
  /** From sending to the first word, and to the end. */
  firstMs?: number;
  durationMs?: number;
  tokensIn?: number;
  tokensOut?: number;
  isCached?: boolean;
  /** Of the row in the log, where one is kept. */
  logId?: string;
}

/** A question with its answer. */
export interface Exchange {
  id: string;
  question: string;
  answer: Answer;
}

/** One message as the API takes it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** An answer of which nothing has come yet. */
export const NOTHING_YET: Answer = { state: 'coming', text: '', thoughts: '' };

/** What is sent: all that was said before, without what has come to nothing. */
export function messagesOf(
  system: string,
  before: readonly Exchange[],
  question: string,
): ChatMessage[] {
  const said = before
    .filter(({ answer }) => answer.text !== '')
    .flatMap((exchange): ChatMessage[] => [
      { role: 'user', content: exchange.question },
      { role: 'assistant', content: exchange.answer.text },
    ]);
  const first: ChatMessage[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  return [...first, ...said, { role: 'user', content: question }];
}

/** Stops what is under way: nobody waits for it any more. */
export function stopped(exchange: Exchange): Exchange {
  const { answer } = exchange;
  return answer.state === 'coming'
    ? { ...exchange, answer: { ...answer, state: 'stopped' } }
    : exchange;
}
