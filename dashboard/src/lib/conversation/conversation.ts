/** One piece of what somebody said. */
export type Part =
  | { kind: 'text' | 'thinking' | 'refusal'; text: string }
  /** A tool is called; the input is JSON, or as much of it as came. */
  | { kind: 'call'; id: string | undefined; name: string; input: string }
  /** What a tool answered. */
  | { kind: 'result'; name: string | undefined; isError: boolean; parts: Part[] }
  /** What is no text: of it only a note. */
  | {
      kind: 'media';
      what: string;
      type: string | undefined;
      size: number | undefined;
      url?: string;
    }
  /** What no reader knows. */
  | { kind: 'other'; type: string; json: string };

/** What one side said at once. */
export interface Message {
  /** As the API calls it: `user`, `assistant`, `model`, … */
  role: string;
  parts: Part[];
  /** Why it ended, where that is told. */
  end?: string;
}

/** A request or an answer as those who speak in it would tell it. */
export interface Conversation {
  messages: Message[];
  /** What else was asked for: `temperature`, `max_tokens`, … */
  settings: (readonly [name: string, value: string])[];
  /** Names of the tools that the model may call. */
  tools: string[];
  /** What went wrong, in the words of whoever answered. */
  failures: string[];
}

/** A conversation of which nothing is known yet. */
export function emptyConversation(): Conversation {
  return { messages: [], settings: [], tools: [], failures: [] };
}
