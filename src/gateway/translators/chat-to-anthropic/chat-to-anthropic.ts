import { responsesToExtendedChat } from '../responses-to-messages/responses-to-messages.ts';
import { type Translation, chain } from '../translation.ts';
import { chatCompletion, chatError } from './chat-completion.ts';
import { messagesRequest } from './messages-request.ts';
import { ChatStream } from './chat-stream.ts';

/** The client speaks OpenAI chat completions, the provider Anthropic Messages. */
export const chatToAnthropic: Translation = {
  request: messagesRequest,
  answer: chatCompletion,
  error: chatError,
  stream: (asked) => new ChatStream(asked),
};

/** The client speaks OpenAI Responses. */
export const responsesToAnthropic: Translation = chain(responsesToExtendedChat, chatToAnthropic);
