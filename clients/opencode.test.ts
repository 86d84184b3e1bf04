import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PROMPTS } from './agent-script.ts';
import { MODELS, installed, startAgentBench } from './bench.ts';

const OPENCODE = installed('opencode-linux-x64/bin/opencode');

for (const model of MODELS) {
  test(`opencode works with ${model}`, async (t) => {
    const bench = await startAgentBench(t, {
      shell: (command) => ({ name: 'bash', arguments: { command, description: 'Show a value' } }),
      delegate: (prompt) => ({
        name: 'task',
        arguments: { description: 'Find a value', prompt, subagent_type: 'general' },
      }),
    });
    const configuration = {
      $schema: 'https://opencode.ai/config.json',
      provider: {
        latchkey: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Latchkey',
          options: { baseURL: `${bench.restUrl}/v1`, apiKey: '{env:LATCHKEY_TOKEN}' },
          models: { [model]: {} },
        },
      },
      model: `latchkey/${model}`,
      small_model: `latchkey/${model}`,
    };
    await writeFile(
      path.join(bench.home, 'work', 'opencode.json'),
      JSON.stringify(configuration, undefined, 2),
    );
    const env = {
      LATCHKEY_TOKEN: bench.server.token,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    };
    const say = (prompt: string, ...options: string[]): Promise<string> =>
      bench.run([OPENCODE, 'run', ...options, prompt], env);
    assert.match(await say(PROMPTS.parallel), /Values: value-101 value-102/);
    assert.match(await say(PROMPTS.single, '--continue'), /value-101 value-102 value-103/);
    assert.match(await say(PROMPTS.subagent, '--continue'), /value-102 value-103 value-104/);
    assert.deepEqual(bench.refusals, []);
  });
}
