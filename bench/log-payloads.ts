import type { LogPayload } from '../src/request-log/record.ts';
import { type Random, createRandom } from './random.ts';

// Enough of them that no two near one another are alike.
const PAYLOADS = 500;
const MIN_WORDS = 40;
const MAX_WORDS = 400;
const WORDS =
  'the of and to in is that for on with as was it by be are from at this have or not which a an model answer question user please explain summary table code function value result number example because therefore between order customer account invoice product language translate short long list first second third when where how many time price total system request response data'.split(
    ' ',
  );

const headers = JSON.stringify({ 'content-type': 'application/json' });

/** Bodies of chat completions, of about one to five kilobytes both together. */
export function createPayloads(): LogPayload[] {
  const random = createRandom(PAYLOADS);
  return Array.from({ length: PAYLOADS }, () => createPayload(random));
}

function createPayload(random: Random): LogPayload {
  const request = Buffer.from(
    JSON.stringify({
      model: 'openai/gpt-4o',
      messages: [
        { role: 'system', content: 'You are a helpful assistant of the support team.' },
        { role: 'user', content: createText(random) },
      ],
    }),
  );
  const response = Buffer.from(
    JSON.stringify({
      id: `chatcmpl-${Math.floor(random() * 2 ** 48).toString(36)}`,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: createText(random) },
          finish_reason: 'stop',
        },
      ],
    }),
  );
  return {
    request,
    response: [response],
    requestSize: request.length,
    responseSize: response.length,
    requestHeaders: headers,
    responseHeaders: headers,
    secrets: [],
  };
}

function createText(random: Random): string {
  const words = MIN_WORDS + Math.floor(random() * (MAX_WORDS - MIN_WORDS));
  return Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
}
