import { chatParameters } from '../chat-parameters.ts';
import {
  expressed,
  isEmptyObject,
  never,
  only,
  parameterTable,
  refused,
  types,
} from '../parameters.ts';

/** Chat completions in the translation to Anthropic Messages. */
export const messagesParameters = parameterTable({
  ...chatParameters,
  extra_body: refused(isEmptyObject),
  frequency_penalty: refused(only(0)),
  logprobs: refused(only(false)),
  n: refused(only(1)),
  presence_penalty: refused(only(0)),
  seed: refused(never),
  thinking: expressed(types.object),
  top_logprobs: refused(only(0)),
});
