import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROMPTS } from './agent-script.ts';
import { MODELS, installed, startAgentBench } from './bench.ts';

const CLAUDE = installed(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);

// Claude Code removes thinking blocks from the history if a response names another model than the settings do, and
// Anthropic answers with the name without a prefix.
const NAMES = MODELS.map((model) => model.replace(/^anthropic\//, ''));

for (const model of NAMES) {
  test(`Claude Code works with ${model}`, async (t) => {
    const bench = await startAgentBench(t, {
      shell: (command) => ({ name: 'Bash', arguments: { command, description: 'Show a value' } }),
      delegate: (prompt) => ({
        name: 'Agent',
        arguments: { description: 'Find a value', prompt, subagent_type: 'general-purpose' },
      }),
    });
    const env = {
      ANTHROPIC_BASE_URL: bench.restUrl,
      ANTHROPIC_AUTH_TOKEN: bench.server.token,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
    };
    const say = (prompt: string, ...options: string[]): Promise<string> => {
      const tools = ['--allowedTools', 'Bash', 'Agent'];
      return bench.run([CLAUDE, '-p', prompt, ...options, ...tools], env);
    };
    assert.match(await say(PROMPTS.parallel), /Values: value-101 value-102/);
    assert.match(await say(PROMPTS.single, '--continue'), /value-101 value-102 value-103/);
    assert.match(await say(PROMPTS.subagent, '--continue'), /value-102 value-103 value-104/);
    assert.deepEqual(bench.refusals, []);
  });
}
