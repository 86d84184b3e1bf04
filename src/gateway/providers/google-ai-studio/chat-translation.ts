import type { Translation } from '../../translation/translation.ts';
import { toChatAnswer } from './chat-answer.ts';
import { toChatError } from './chat-error.ts';
import { toGeminiRequest } from './chat-request.ts';
import { GeminiChatStream } from './chat-stream.ts';

/** The client speaks OpenAI chat completions, the provider Gemini's `generateContent`. */
export const chatToGemini: Translation = {
  request: toGeminiRequest,
  answer: toChatAnswer,
  error: toChatError,
  stream: (asked) => new GeminiChatStream(asked),
};
