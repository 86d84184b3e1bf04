import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import { createLocalProvider } from '../../src/gateway/providers/local.ts';
import {
  messagesToChat,
  messagesToExtendedChat,
} from '../../src/gateway/translators/messages-to-chat/messages-to-chat.ts';
import { runChat } from '../../src/gateway/translators/run-to-chat/run-to-chat.ts';
import { runEmbeddings } from '../../src/gateway/translators/run-to-chat/run-embeddings.ts';
import { runPrompt } from '../../src/gateway/translators/run-to-chat/run-prompt.ts';
import {
  type Translator,
  UntranslatableError,
  chain,
} from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const HELLO = [{ role: 'user', content: 'hello' }];
const STREAM = { stream: true, stream_options: { include_usage: true } };
const CHAT = { messages: HELLO, ...STREAM };
const MESSAGES = { messages: HELLO, stream: true };

/** Each with a request that it translates. */
const TRANSLATIONS: readonly (readonly [name: string, Translator, body: JsonObject])[] = [
  ['chat to Anthropic', chatToAnthropic, CHAT],
  ['chat to Gemini', chatToGemini, CHAT],
  ['messages to chat', messagesToChat, MESSAGES],
  ['messages to Gemini', chain(messagesToExtendedChat, chatToGemini), MESSAGES],
  ['run of a chat', chain(runChat, chatToAnthropic), CHAT],
  ['run of a prompt', chain(runPrompt, chatToGemini), { prompt: 'hello', ...STREAM }],
  ['run of embeddings', runEmbeddings, { text: 'hello' }],
];

const INPUT = { model: 'gemini-3-pro', body: CHAT, nowMs: 0 };

/** Words that mean something in one of the APIs, so that arbitrary JSON gets somewhere. */
const words = (text: string): string[] => text.trim().split(/\s+/);
const KEYS = words(`
  messages system role content type text tool_calls function name arguments id input tools
  tool_choice input_schema parameters source image_url url file file_data thinking stop
  response_format schema json_schema output_config format choices message delta usage
  error candidates parts functionCall args index finish_reason stop_reason content_block
  usageMetadata logprobsResult chosenCandidates prompt data tool_call_id tool_use_id
  refusal reasoning __proto__ properties const inlineData promptFeedback blockReason
  embedding code strict anyOf
`);
const TEXTS = [
  ...words(`
    user assistant tool system developer text image image_url file tool_use tool_result
    function json_schema object auto required any document content search_result thinking
    enabled adaptive message_start content_block_start content_block_delta input_json_delta
    content_block_stop message_delta message_stop error stop SAFETY
  `),
  'base64',
  '{}',
  'data:image/png;base64,AA==',
  'data:,',
  'https://example.com/a.png',
  '[1]',
  '',
  '\ud83d',
];

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e20),
    fc.constantFrom(...TEXTS),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('json')), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));
const anyFields = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), json), { maxLength: 8 })
  .map((entries): JsonObject => Object.fromEntries(entries));
const list = fc.array(anyFields, { maxLength: 3 });
const called = fc.record({ id: json, function: anyFields }, { requiredKeys: [] });
const said = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
    content: fc.oneof(json, list),
    tool_calls: fc.oneof(json, fc.array(called, { maxLength: 3 })),
    tool_call_id: json,
    refusal: json,
  },
  { requiredKeys: [] },
);
/** What has its lists where they belong gets further. */
const likelyFields = fc.record(
  {
    type: fc.constantFrom(...TEXTS),
    messages: fc.array(said, { maxLength: 4 }),
    tools: list,
    content: list,
    content_block: anyFields,
    choices: fc.array(fc.record({ index: json, message: said, delta: said }), { maxLength: 2 }),
    candidates: fc.array(
      fc.record({ index: json, content: fc.record({ parts: list }), finishReason: json }),
      { maxLength: 2 },
    ),
    data: list,
  },
  { requiredKeys: [] },
);
const object = fc
  .tuple(anyFields, likelyFields)
  .map(([any, likely]): JsonObject => ({ ...any, ...likely }));

/** What they have found, they found early; there are 24 of them. */
const FEW = { numRuns: 40 };

/** Parameters that the translation does not refuse for their name. */
function namesFor(translation: string): ReadonlySet<string> {
  return new Set(
    translation.startsWith('messages')
      ? words('messages system tools tool_choice thinking output_config')
      : words('messages prompt text tools tool_choice stop response_format thinking'),
  );
}

describe('whatever the shape', () => {
  for (const [name, translation, body] of TRANSLATIONS) {
    const asked = { ...INPUT, body };
    const names = namesFor(name);
    test(`${name}: a request is translated or refused`, () => {
      fc.assert(
        fc.property(object, (fields) => {
          const likely = Object.entries(fields).filter(([field]) => names.has(field));
          try {
            JSON.stringify(translation.request({ ...INPUT, body: Object.fromEntries(likely) }));
          } catch (error) {
            assert.ok(error instanceof UntranslatableError, String(error));
          }
        }),
        FEW,
      );
    });

    test(`${name}: an answer or an error never throws`, () => {
      fc.assert(
        fc.property(object, json, (answer, error) => {
          JSON.stringify(translation.response(answer, asked));
          translation.error(500, JSON.stringify(error));
        }),
        FEW,
      );
    });

    test(`${name}: a stream never throws, and what it tells is JSON`, () => {
      fc.assert(
        fc.property(fc.array(fc.oneof(object, json), { maxLength: 8 }), (events) => {
          const stream = translation.stream(asked);
          const told = [
            ...events.flatMap((event) => stream.event({ data: JSON.stringify(event) })),
            ...stream.event({ data: '<html>' }),
            ...stream.event({ data: '' }),
            ...stream.end(),
          ];
          for (const { data } of told) {
            if (!['[DONE]', '<html>', ''].includes(data)) JSON.parse(data);
          }
        }),
        FEW,
      );
    });
  }
});

describe('the provider in this process', () => {
  const local = createLocalProvider();
  for (const path of ['chat/completions', 'responses', 'embeddings']) {
    test(`${path}: whatever is asked is answered or refused`, () => {
      fc.assert(
        fc.property(object, fc.oneof(json, list), (fields, input) => {
          const body = Buffer.from(JSON.stringify({ ...fields, model: 'echo', input }));
          const answer = local.respond({ method: 'POST', path, body, nowMs: 0 });
          const text = typeof answer.body === 'string' ? answer.body : [...answer.body].join('');
          assert.ok(text !== '' && [200, 400].includes(answer.status));
        }),
        FEW,
      );
    });
  }

  test('fields that are null are as good as left out', () => {
    const none = { dimensions: null, encoding_format: null, stream: null, tools: null };
    const options = { ...none, stream_options: { include_usage: null }, tool_choice: null };
    const messages = [{ role: 'user', content: 'hello', tool_calls: null, name: null }];
    for (const [path, fields] of [
      ['embeddings', { input: 'hello' }],
      ['chat/completions', { messages }],
      ['responses', { input: messages, instructions: null, previous_response_id: null }],
    ] as const) {
      const body = Buffer.from(JSON.stringify({ model: 'echo', ...options, ...fields }));
      assert.equal(local.respond({ method: 'POST', path, body, nowMs: 0 }).status, 200, path);
    }
  });
});

describe('an answer that is none', () => {
  const cases: readonly (readonly [Translator, readonly JsonObject[]])[] = [
    [chatToAnthropic, [{}, { content: 'hello' }, { content: null }, { error: { message: 'no' } }]],
    [chatToGemini, [{}, { candidates: 'hello' }, { error: { code: 500, message: 'no' } }]],
    [
      messagesToChat,
      [{}, { choices: 3 }, { choices: [] }, { choices: [{ message: 'hello' }] }, { error: 'no' }],
    ],
    [runPrompt, [{}, { choices: [null] }, { error: { message: 'no' } }]],
    [runEmbeddings, [{}, { data: 'hello' }, { error: { message: 'no' } }]],
  ];
  for (const [translation, answers] of cases) {
    for (const answer of answers) {
      test(JSON.stringify(answer), () => {
        assert.equal(translation.response(answer, INPUT), undefined);
      });
    }
  }

  test('says so through a chain', () => {
    assert.equal(chain(runChat, chatToAnthropic).response({}, INPUT), undefined);
  });

  test('an error of nothing but lists is told all the same', () => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const [, translation] of TRANSLATIONS) {
      assert.equal(typeof translation.error(500, nested), 'object');
    }
  });
});

describe('more parts than a call takes arguments', () => {
  const parts = Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'a' }));
  const messages = [
    { role: 'user', content: parts },
    { role: 'user', content: parts },
  ];
  for (const [name, translation] of TRANSLATIONS.slice(0, 4)) {
    test(name, () => {
      const instructions = name.startsWith('chat') ? [{ role: 'system', content: parts }] : [];
      const body = {
        ...(name.startsWith('chat') ? {} : { system: parts }),
        messages: [...instructions, ...messages],
      };
      for (const model of ['gemini-3-pro', 'gemma-3']) {
        assert.ok(translation.request({ ...INPUT, model, body }));
      }
    });
  }
});
