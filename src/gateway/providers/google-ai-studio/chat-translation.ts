import { messagesToExtendedChat } from '../../translation/messages/messages-translation.ts';
import { responsesToExtendedChat } from '../../translation/responses/responses-translation.ts';
import { type Translation, chain } from '../../translation/translation.ts';
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

/** The client speaks Anthropic Messages. */
export const messagesToGemini: Translation = chain(messagesToExtendedChat, chatToGemini);

/** The client speaks OpenAI Responses. */
export const responsesToGemini: Translation = chain(responsesToExtendedChat, chatToGemini);
