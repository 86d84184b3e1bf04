import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatToAnthropic } from '../../src/gateway/translators/chat-to-anthropic/chat-to-anthropic.ts';
import { chatToGemini } from '../../src/gateway/translators/chat-to-gemini/chat-to-gemini.ts';
import type { Translator } from '../../src/gateway/translators/translator.ts';
import type { JsonObject } from '../../src/gateway/json/json-fields.ts';

const IMAGE = 'iVBORw0KGgo=';

function sent(translation: Translator, part: JsonObject): string {
  const body = { messages: [{ role: 'user', content: [part] }] };
  return JSON.stringify(translation.request({ model: 'any', body, nowMs: 0 }));
}

const image = (url: unknown): JsonObject => ({ type: 'image_url', image_url: url });
const file = (name: string): JsonObject => ({
  type: 'file',
  file: { filename: name, file_data: Buffer.from('{"a":1}').toString('base64') },
});

describe('pictures as clients write them', () => {
  for (const [what, url, mediaType] of [
    ['plain', { url: `data:image/png;base64,${IMAGE}` }, 'image/png'],
    ['with a type that is none', { url: `data:image/jpg;base64,${IMAGE}` }, 'image/jpeg'],
    ['in capitals', { url: `DATA:Image/PNG;Base64,${IMAGE}` }, 'image/png'],
    ['with a parameter', { url: `data:image/png;name=a.png;base64,${IMAGE}` }, 'image/png'],
    ['without an object', `data:image/png;base64,${IMAGE}`, 'image/png'],
  ] as const) {
    test(what, () => {
      const source = { type: 'base64', media_type: mediaType, data: IMAGE };
      assert.ok(sent(chatToAnthropic, image(url)).includes(JSON.stringify(source)));
      const inline = { mimeType: mediaType, data: IMAGE };
      assert.ok(sent(chatToGemini, image(url)).includes(JSON.stringify(inline)));
    });
  }

  test('the address of one, without an object', () => {
    const url = 'https://example.com/a.png';
    assert.ok(sent(chatToAnthropic, image(url)).includes(JSON.stringify({ type: 'url', url })));
    assert.ok(sent(chatToGemini, image(url)).includes(`"fileUri":"${url}"`));
  });
});

describe('files that only their name tells', () => {
  test('JSON is text to Anthropic, and no PDF', () => {
    const source = { type: 'text', media_type: 'text/plain', data: '{"a":1}' };
    assert.ok(sent(chatToAnthropic, file('a.JSON')).includes(JSON.stringify(source)));
  });

  test('Anthropic takes no sound, and is not sent it as PDF', () => {
    assert.throws(() => sent(chatToAnthropic, file('a.mp3')), /not "audio\/mp3"/);
  });

  test('Gemini takes both', () => {
    assert.match(sent(chatToGemini, file('a.json')), /"mimeType":"application\/json"/);
    assert.match(sent(chatToGemini, file('a.mp3')), /"mimeType":"audio\/mp3"/);
  });
});
