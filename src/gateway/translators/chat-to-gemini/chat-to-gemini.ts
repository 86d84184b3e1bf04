import { messagesToExtendedChat } from '../messages-to-chat/messages-to-chat.ts';
import { responsesToExtendedChat } from '../responses-to-messages/responses-to-messages.ts';
import { type Translation, chain } from '../translation.ts';
import { toChatAnswer } from './chat-completion.ts';
import { toChatError } from './chat-error.ts';
import { toGeminiRequest } from './gemini-request.ts';
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
