import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import {
  messagesToChat,
  messagesToExtendedChat,
} from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { runPrompt } from '../../src/gateway/translators/run-to-chat/run-prompt.ts';
import {
  type Translator,
  UntranslatableError,
  chain,
} from '../../src/gateway/translators/translator.ts';
import {
  type ScriptedUpstream,
  answer,
  completion,
  message,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';
import type { Answer } from '../support/server.ts';
import { MESSAGES, type ScriptedBench, startScripted } from './scripted.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

type Parameters = readonly (readonly [name: string, value: unknown])[];

/** Reads names with JSON values, between bars. */
function parametersIn(text: string): Parameters {
  return text.split('|').map((one) => {
    const [, name = '', value = ''] = /^\s*(\w+) (.*)$/s.exec(one) ?? [];
    return [name, JSON.parse(value)];
  });
}

const TOOLS = [{ type: 'function', function: { name: 'f' } }];

/** Refused by each target of chat completions. */
const CHAT_REFUSED: Parameters = parametersIn(`
  logit_bias {"50256":-100} | audio {"voice":"alloy","format":"wav"} |
  modalities ["text","audio"] | web_search_options {} | moderation {"model":"omni"} |
  functions [{"name":"f"}] | function_call "auto" | min_p 0.1 | repetition_penalty 1.1 |
  plugins [{"id":"web"}] | max_tokens "7" | max_tokens 7.5 | max_completion_tokens "7" |
  temperature "0.5" | top_p "0.5" | top_k "5" | n "2" | stop 7 | stream "true" |
  stream_options true | stream_options {"include_usage":"true"} | tools {"name":"f"} |
  tool_choice 7 | tool_choice "required" | parallel_tool_calls "false" |
  response_format "json_object" | response_format {} | reasoning_effort 1 | user 7
`);

const CHAT_NEUTRAL: Parameters = [
  ...parametersIn(`
  n 1 | logprobs false | top_logprobs 0 | frequency_penalty 0 | presence_penalty 0 |
  repetition_penalty 1 | min_p 0 | logit_bias {} | functions [] | modalities ["text"] |
  modalities [] | stop [] | top_k 0 | top_k -1 | stream false | tools [] | tool_choice "auto" | parallel_tool_calls true |
  response_format {"type":"text"} | extra_body {}
`),
  ...[...CHAT_REFUSED, ['seed', null] as const].map(([name]) => [name, null] as const),
];

const CHAT_HINTS: Parameters = parametersIn(`
  user "u" | safety_identifier "u" | metadata {"a":"b"} | store false | store true |
  service_tier "auto" | prompt_cache_key "k" | prompt_cache_options {} |
  prompt_cache_retention "24h" | promptCacheKey "k" |
  prediction {"type":"content","content":"a"} | verbosity "low" | textVerbosity "low" |
  reasoning_effort "low" | reasoningEffort "low" | reasoning {"effort":"low"} |
  reasoning_format "parsed" | reasoning_split true | reasoning_summary "auto" |
  reasoningSummary "auto" | include_reasoning true | enable_thinking true | thinking_budget 7 |
  thinkingConfig {} | thinking {"type":"disabled"} | chat_template_args {} |
  chat_template_kwargs {} | usage {"include":true} | cache_control {"type":"ephemeral"}
`);

const ANTHROPIC_REFUSED: Parameters = parametersIn(`
  n 2 | logprobs true | top_logprobs 2 | frequency_penalty 0.5 | presence_penalty -0.5 | seed 0 |
  seed 7 | extra_body {"a":1}
`);

const GEMINI_REFUSED: Parameters = parametersIn(`
  top_logprobs 2 | logprobs "true" | frequency_penalty "0.5" | presence_penalty "0.5" | seed "7" |
  extra_body {"a":1} | extra_body {"google":{"cached_content":7}} |
  extra_body {"google":{"labels":{}}}
`);

const MESSAGES_REFUSED: Parameters = parametersIn(`
  top_k 7 | container "c" | mcp_servers [{"name":"a"}] | thread {"type":"continue"} |
  inference_geo "us" | seed 7 | max_tokens "7" | temperature "0.5" | top_p "0.5" |
  stop_sequences "END" | stop_sequences [7] | stream "true" | system 7 | tools {"name":"f"} |
  tool_choice "auto" | tool_choice {"type":"any"} |
  tool_choice {"type":"auto","disable_parallel_tool_use":"true"} | thinking true |
  thinking {"type":"enabled","budget_tokens":"8192"} | output_config {"effort":7} |
  output_config {"format":"json"} | output_config {"voice":"a"} | output_format {"type":"xml"}
`);

const MESSAGES_NEUTRAL: Parameters = [
  ...parametersIn(`
  top_k 0 | top_k -1 | mcp_servers [] | inference_geo "global" | stop_sequences [] |
  stream false | system "" | system [] | tools [] | tool_choice {"type":"auto"} | output_config {}
`),
  ...MESSAGES_REFUSED.flatMap(([name]) => (name === 'max_tokens' ? [] : [[name, null] as const])),
];

const MESSAGES_HINTS: Parameters = parametersIn(`
  metadata {"user_id":"u"} | service_tier "auto" | speed "standard" |
  cache_control {"type":"ephemeral"} |
  context_management {"edits":[{"type":"clear_thinking_20251015","keep":"all"}]} | compaction {} |
  diagnostics {} | fallbacks [] | fallback_credit_token "t" | billing_policy {} |
  user_profile_id "p" | workspace_id "w" | betas ["a"] | anthropic_beta ["a"] |
  anthropic_version "2023-06-01" | thinking {"type":"adaptive"} |
  output_config {"effort":"low","task_budget":{"type":"tokens","total":50000}}
`);

const PROMPT_REFUSED: Parameters = parametersIn(`
  n 2 | logprobs true | top_logprobs 2 | audio {"voice":"alloy"} | functions [{"name":"f"}] |
  function_call "auto" | stream "true" | stream_options 7
`);

const CLAUDE = 'claude-sonnet-4-6';
const GEMINI = 'gemini-2.5-flash';
const GENERATED = {
  candidates: [{ content: { parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
};

describe('over HTTP', () => {
  let bench: ScriptedBench;
  let gemini: ScriptedUpstream;
  before(async () => {
    gemini = await startScriptedUpstream();
    bench = await startScripted('sqlite', {
      settings: {
        PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: gemini.origin,
        PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'AIza-stored',
      },
    });
    await bench.upstream.set(CLAUDE, answer(200, message()));
    for (const name of ['open', 'embeds']) {
      await bench.upstream.set(name, answer(200, completion()));
    }
    await gemini.set(`${GEMINI}:generateContent`, answer(200, GENERATED));
  });
  after(async () => {
    await bench.stop();
    await gemini.stop();
  });

  const post = (path: string, body: object): Promise<Answer> =>
    bench.server.call('POST', `${bench.server.account}/ai/${path}`, { body });
  const messages = (model: string, fields: object): Promise<Answer> =>
    post('v1/messages', { model, max_tokens: 5, messages: MESSAGES, ...fields });
  const prompt = (model: string, fields: object): Promise<Answer> =>
    post(`run/${model}`, { prompt: 'hello', ...fields });
  const embed = (model: string, fields: object): Promise<Answer> =>
    post(`run/${model}`, { text: 'hello', ...fields });
  const chat = (model: string, fields: object): Promise<Answer> =>
    bench.complete(model, {}, fields);

  const sentTo = async (model: string): Promise<number> =>
    model.startsWith('google')
      ? (await gemini.requests(`${GEMINI}:generateContent`)).length
      : (await bench.upstream.requests(model.slice(model.indexOf('/') + 1))).length;

  type Send = (model: string, fields: object) => Promise<Answer>;
  const targets: readonly (readonly [string, Send, string, Parameters, Parameters])[] = [
    [
      'chat completions to Anthropic Messages',
      chat,
      `anthropic/${CLAUDE}`,
      [...CHAT_REFUSED, ...ANTHROPIC_REFUSED],
      [...CHAT_NEUTRAL, ...CHAT_HINTS],
    ],
    [
      'chat completions to Gemini',
      chat,
      `google-ai-studio/${GEMINI}`,
      [...CHAT_REFUSED, ...GEMINI_REFUSED],
      [...CHAT_NEUTRAL, ...CHAT_HINTS],
    ],
    [
      'Messages to chat completions',
      messages,
      'groq/open',
      MESSAGES_REFUSED,
      [...MESSAGES_NEUTRAL, ...MESSAGES_HINTS],
    ],
    [
      'Messages to Gemini',
      messages,
      `google-ai-studio/${GEMINI}`,
      MESSAGES_REFUSED.filter(([name]) => name !== 'top_k'),
      [['top_k', 7], ...MESSAGES_HINTS],
    ],
    ['run of a prompt', prompt, 'openai/open', PROMPT_REFUSED, CHAT_NEUTRAL],
    [
      'run of a prompt for Anthropic Messages',
      prompt,
      `anthropic/${CLAUDE}`,
      [...PROMPT_REFUSED, ...ANTHROPIC_REFUSED],
      [...CHAT_NEUTRAL, ...CHAT_HINTS],
    ],
    [
      'run of embeddings',
      embed,
      'openai/embeds',
      [
        ['encoding_format', 'base64'],
        ['stream', true],
        ['stream_options', { include_usage: true }],
      ],
      [],
    ],
  ];

  for (const [name, send, model, refusedOnes, accepted] of targets) {
    describe(name, () => {
      for (const [field, value] of refusedOnes) {
        test(`400/2024: ${field} ${JSON.stringify(value)}`, async () => {
          const sent = await sentTo(model);
          const { status, json, text } = await send(model, { [field]: value });
          assert.equal(status, 400, text);
          assert.equal(json.errors[0].code, 2024);
          assert.match(json.errors[0].message, new RegExp(`: ${field}[:.]`));
          assert.equal(await sentTo(model), sent);
        });
      }

      for (const [field, value] of accepted) {
        test(`${field} ${JSON.stringify(value)}`, async () => {
          const sent = await sentTo(model);
          const { status, text } = await send(model, { [field]: value });
          assert.equal(status, 200, text);
          assert.equal(await sentTo(model), sent + 1);
        });
      }
    });
  }
});

const CHAT_EXAMPLES: Parameters = [
  ...CHAT_REFUSED,
  ...CHAT_NEUTRAL,
  ...CHAT_HINTS,
  ...ANTHROPIC_REFUSED,
  ...parametersIn(`
  max_tokens 7 | max_completion_tokens 7 | temperature 0.5 | top_p 0.5 | top_k 7 |
  response_format {"type":"json_object"} | tool_choice "none" |
  stream_options {"include_usage":true}
`),
];
const MESSAGES_EXAMPLES: Parameters = [
  ...MESSAGES_REFUSED,
  ...MESSAGES_NEUTRAL,
  ...MESSAGES_HINTS,
  ...parametersIn(`
  temperature 0.5 | top_p 0.5 | system "Be brief." | stop_sequences ["END"] | stream true
`),
];

const LIMITS = ['max_tokens', 'max_completion_tokens'];

const ANY_VALUES = parametersIn(`
  a null | a true | a false | a 0 | a 1 | a 2 | a -1 | a 0.5 | a "" | a "7" | a "auto" | a [] | a {} |
  a ["text"] | a {"a":1}
`).map(([, value]) => value);

interface Subject {
  name: string;
  translation: Translator;
  model: string;
  base: JsonObject;
  examples: Parameters;
  neutral: Parameters;
  hints: Parameters;
  /** Parameters that the path of the request or the translation of the answer expresses. */
  elsewhere: readonly string[];
}

const CHAT = {
  base: { messages: MESSAGES, tools: TOOLS },
  examples: CHAT_EXAMPLES,
  neutral: CHAT_NEUTRAL,
  hints: CHAT_HINTS,
};
const OF_MESSAGES = {
  base: { messages: MESSAGES, max_tokens: 5, tools: [{ name: 'f', input_schema: {} }] },
  examples: MESSAGES_EXAMPLES,
  hints: MESSAGES_HINTS,
};
const SUBJECTS: readonly Subject[] = [
  {
    ...CHAT,
    name: 'chat completions to Anthropic Messages',
    translation: chatToAnthropic,
    model: 'claude-3-haiku',
    elsewhere: ['stream_options'],
  },
  {
    ...CHAT,
    name: 'chat completions to Gemini',
    translation: chatToGemini,
    model: GEMINI,
    elsewhere: ['stream', 'stream_options', 'parallel_tool_calls'],
  },
  {
    ...OF_MESSAGES,
    name: 'Messages to chat completions',
    translation: messagesToChat,
    model: 'open',
    neutral: MESSAGES_NEUTRAL,
    elsewhere: [],
  },
  {
    ...OF_MESSAGES,
    name: 'Messages to Gemini',
    translation: chain(messagesToExtendedChat, chatToGemini),
    model: GEMINI,
    neutral: MESSAGES_NEUTRAL.filter(([field]) => field !== 'top_k'),
    elsewhere: ['stream'],
  },
  {
    ...CHAT,
    base: { prompt: 'hello', tools: TOOLS },
    name: 'run of a prompt for Anthropic Messages',
    translation: chain(runPrompt, chatToAnthropic),
    model: 'claude-3-haiku',
    elsewhere: ['stream_options'],
  },
];

describe('each parameter is refused, expressed or a hint', () => {
  const anyValue = fc.constantFrom<unknown>(...ANY_VALUES);

  /** The translated request; `refused` without one. */
  function outcome({ translation, model, base }: Subject, body: JsonObject): string {
    try {
      return JSON.stringify(translation.request({ model, body: { ...base, ...body }, nowMs: 0 }));
    } catch (error) {
      assert.ok(error instanceof UntranslatableError, String(error));
      const named = Object.keys(body).some((field) => error.reason.startsWith(field));
      assert.ok(named, `${error.reason} names none of ${Object.keys(body).join()}`);
      return 'refused';
    }
  }

  for (const subject of SUBJECTS) {
    const { name, examples, neutral, hints, elsewhere } = subject;
    const unchanged = new Set(neutral.map((pair) => JSON.stringify(pair)));
    const omissible = new Set([...hints.map(([field]) => field), ...elsewhere]);
    // Without tools, a choice among them changes nothing.
    const varied = examples.filter(([field]) => field !== 'tools');
    const fields = fc.constantFrom(...new Set(varied.map(([field]) => field)));
    const pair = fc.oneof(
      fc.constantFrom(...varied),
      fc.tuple(fc.oneof(fields, fc.stringMatching(/^[a-z]{3,9}$/)), anyValue),
    );

    test(name, () => {
      fc.assert(
        fc.property(fc.array(pair, { minLength: 1, maxLength: 3 }), (pairs) => {
          const body: JsonObject = Object.fromEntries(pairs);
          const translated = outcome(subject, body);
          if (translated === 'refused') return;
          for (const [field, value] of Object.entries(body)) {
            if (value === null || omissible.has(field)) continue;
            if (unchanged.has(JSON.stringify([field, value]))) continue;
            // A model that calls no tools calls none in parallel.
            if (field === 'parallel_tool_calls' && body.tool_choice === 'none') continue;
            // Two names of one limit.
            if (field.startsWith('max_') && LIMITS.every((limit) => limit in body)) continue;
            const { [field]: _omitted, ...others } = body;
            assert.notEqual(outcome(subject, others), translated, field);
          }
        }),
        { numRuns: 2_000 },
      );
    });
  }
});
