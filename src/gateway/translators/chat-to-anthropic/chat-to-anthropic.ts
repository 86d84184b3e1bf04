import { responsesToExtendedChat } from '../responses-to-messages/responses-to-messages.ts';
import { type Translator, chain } from '../translator.ts';
import { chatCompletion, chatError } from './chat-completion.ts';
import { messagesRequest } from './messages-request.ts';
import { ChatStream } from './chat-stream.ts';

/** The client speaks OpenAI chat completions, the provider Anthropic Messages. */
export const chatToAnthropic: Translator = {
  request: messagesRequest,
  response: chatCompletion,
  error: chatError,
  stream: (input) => new ChatStream(input),
};

/** The client speaks OpenAI Responses. */
export const responsesToAnthropic: Translator = chain(responsesToExtendedChat, chatToAnthropic);
