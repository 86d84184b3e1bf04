import {
  expressed,
  isEmptyList,
  isEmptyObject,
  never,
  only,
  parameterTable,
  refused,
  types,
} from '../parameters.ts';

const TEXT_ONLY = 'the response to a prompt is a single text';

/** `prompt` in the translation to chat completions, which leaves the other parameters unchanged. */
export const promptParameters = parameterTable(
  {
    audio: refused(never, TEXT_ONLY),
    function_call: refused(never, 'use tool_choice'),
    functions: refused(isEmptyList, 'use tools'),
    logprobs: refused(only(false), TEXT_ONLY),
    n: refused(only(1), TEXT_ONLY),
    stream: expressed(types.boolean),
    stream_options: expressed(types.object),
    top_logprobs: refused(only(0), TEXT_ONLY),
  },
  'expressed',
);

/** `text` in the translation to embeddings, which leaves the other parameters unchanged. */
export const embeddingParameters = parameterTable(
  {
    encoding_format: refused(only('float'), 'embeddings are numbers'),
    stream: refused(only(false), 'embeddings are not streamed'),
    stream_options: refused(isEmptyObject, 'embeddings are not streamed'),
  },
  'expressed',
);
