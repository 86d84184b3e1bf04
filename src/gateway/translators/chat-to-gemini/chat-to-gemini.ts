import { messagesToExtendedChat } from '../messages-to-chat/messages-to-chat.ts';
import { responsesToExtendedChat } from '../responses-to-messages/responses-to-messages.ts';
import { type Translator, chain } from '../translator.ts';
import { toChatCompletion, toChatError } from './chat-completion.ts';
import { toGeminiRequest } from './gemini-request.ts';
import { GeminiChatStream } from './chat-stream.ts';

/** The client speaks OpenAI chat completions, the provider Gemini's `generateContent`. */
export const chatToGemini: Translator = {
  request: toGeminiRequest,
  response: toChatCompletion,
  error: toChatError,
  stream: (input) => new GeminiChatStream(input),
};

/** The client speaks Anthropic Messages. */
export const messagesToGemini: Translator = chain(messagesToExtendedChat, chatToGemini);

/** The client speaks OpenAI Responses. */
export const responsesToGemini: Translator = chain(responsesToExtendedChat, chatToGemini);
