import type { Translation } from '../translation.ts';
import { message, messagesError } from './message.ts';
import { chatRequest, extendedChatRequest } from './chat-request.ts';
import { MessagesStream } from './messages-stream.ts';

/** The client speaks Anthropic Messages, the provider OpenAI chat completions. */
export const messagesToChat: Translation = {
  request: chatRequest,
  answer: message,
  error: messagesError,
  stream: (asked) => new MessagesStream(asked),
};

/** The client speaks Anthropic Messages, the provider chat completions that are extended with `top_k`. */
export const messagesToExtendedChat: Translation = {
  ...messagesToChat,
  request: extendedChatRequest,
};
