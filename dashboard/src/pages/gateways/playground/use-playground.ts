import { useEffect, useRef, useState } from 'react';
import type { CalledGateway } from '../../../api/gateway-call.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { ask } from './ask.ts';
import { type Exchange, NOTHING_YET, messagesOf, stopped } from './conversation.ts';
import { type PlaygroundState, keep, readKept } from './kept-playground.ts';
import { labels } from './labels.ts';
import { type RequestDraft, bodyOf, faultsOf, headersOf } from './request-draft.ts';

// Far beyond what models take; the page has to show it too.
const MAX_SENT_LENGTH = 2_000_000;
const MAX_EXCHANGES = 100;

/** The playground of one gateway: what is on the page, and what can be done with it. */
export interface PlaygroundUse extends PlaygroundState {
  isRunning: boolean;
  /** How often it was tried in vain to send what there is: then its faults are shown. */
  tries: number;
  /** What keeps the question from being sent, beside faults of fields. */
  refusal: string | undefined;
  change: (change: Partial<RequestDraft>) => void;
  setQuestion: (question: string) => void;
  send: () => void;
  /** Asks the last question once more. */
  retry: () => void;
  stop: () => void;
  clear: () => void;
}

/** Keeps what is on the page while somebody is elsewhere; what is under way is stopped when they leave. */
export function usePlayground(gateway: CalledGateway): PlaygroundUse {
  const { accountId, gatewayId } = gateway;
  const [state, setState] = useState(() => readKept(accountId, gatewayId));
  const [tries, setTries] = useState(0);
  const [refusal, setRefusal] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useKept(gateway, state, running);

  const isRunning = state.exchanges.at(-1)?.answer.state === 'coming';
  const put = (change: Partial<PlaygroundState>): void =>
    setState((former) => ({ ...former, ...change }));

  /** @returns false when it was not sent */
  const start = (before: readonly Exchange[], question: string): boolean => {
    const { draft } = state;
    const body = JSON.stringify(bodyOf(draft, messagesOf(draft.system, before, question)));
    const refused = refusalOf(before, question, body);
    setRefusal(refused);
    if (refused !== undefined || Object.keys(faultsOf(draft)).length > 0) {
      setTries(tries + 1);
      return false;
    }
    setTries(0);
    const exchange: Exchange = { id: randomKey(), question, answer: NOTHING_YET };
    put({ exchanges: [...before, exchange] });
    const controller = new AbortController();
    running.current = controller;
    void ask({ gateway, headers: headersOf(draft), body }, controller.signal, (answer) =>
      setState((former) => ({
        ...former,
        exchanges: former.exchanges.map((each) =>
          each.id === exchange.id ? { ...each, answer } : each,
        ),
      })),
    );
    return true;
  };
  return {
    ...state,
    isRunning,
    tries,
    refusal,
    change: (change) => put({ draft: { ...state.draft, ...change } }),
    setQuestion: (question) => {
      setRefusal(undefined);
      put({ question });
    },
    send: () => {
      if (!isRunning && start(state.exchanges, state.question)) put({ question: '' });
    },
    retry: () => {
      const last = state.exchanges.at(-1);
      if (last !== undefined && !isRunning) start(state.exchanges.slice(0, -1), last.question);
    },
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      put({ exchanges: [] });
    },
  };
}

function refusalOf(
  before: readonly Exchange[],
  question: string,
  body: string,
): string | undefined {
  if (question.trim() === '') return labels.enterAMessage;
  if (before.length >= MAX_EXCHANGES) return labels.theConversationIsTooLongClear;
  if (body.length > MAX_SENT_LENGTH) {
    return labels.theTextIsTooLongAll;
  }
  return undefined;
}

/** Keeps the page in the tab, but not with each word that comes. */
function useKept(
  { accountId, gatewayId }: CalledGateway,
  state: PlaygroundState,
  running: { readonly current: AbortController | undefined },
): void {
  const latest = useRef(state);
  const isComing = state.exchanges.at(-1)?.answer.state === 'coming';
  useEffect(() => {
    latest.current = state;
    if (!isComing) keep(accountId, gatewayId, state);
  });
  useEffect(
    () => () => {
      running.current?.abort();
      const { exchanges } = latest.current;
      keep(accountId, gatewayId, { ...latest.current, exchanges: exchanges.map(stopped) });
    },
    [accountId, gatewayId, running],
  );
}
