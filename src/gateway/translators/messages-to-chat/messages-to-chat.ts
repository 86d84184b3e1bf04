import type { Translator } from '../translator.ts';
import { message, messagesError } from './message.ts';
import { chatRequest, extendedChatRequest } from './chat-request.ts';
import { MessagesStream } from './messages-stream.ts';

/** The client speaks Anthropic Messages, the provider OpenAI chat completions. */
export const messagesToChat: Translator = {
  request: chatRequest,
  response: message,
  error: messagesError,
  stream: (input) => new MessagesStream(input),
};

/** The client speaks Anthropic Messages, the provider chat completions that are extended with `top_k`. */
export const messagesToExtendedChat: Translator = {
  ...messagesToChat,
  request: extendedChatRequest,
};
