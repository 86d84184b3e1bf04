import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PROMPTS } from './agent-script.ts';
import { installed, startAgentBench } from './bench.ts';

test('Gemini CLI works with google-ai-studio', async (t) => {
  const bench = await startAgentBench(t, {
    shell: (command) => ({ name: 'run_shell_command', arguments: { command } }),
    delegate: (prompt) => ({
      name: 'invoke_agent',
      arguments: { agent_name: 'generalist', prompt },
    }),
    finish: (response) => ({ name: 'complete_task', arguments: { result: { response } } }),
  });
  // Without this choice, the CLI does not start with a base URL of its own.
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
  await mkdir(path.join(bench.home, '.gemini'));
  await writeFile(path.join(bench.home, '.gemini', 'settings.json'), JSON.stringify(settings));
  const { origin, accountId, token } = bench.server;
  const env = {
    GOOGLE_GEMINI_BASE_URL: `${origin}/v1/${accountId}/default/google-ai-studio`,
    GEMINI_API_KEY: 'gemini-key',
    GEMINI_CLI_CUSTOM_HEADERS: `cf-aig-authorization: Bearer ${token}`,
    GEMINI_MODEL: 'gemini-3-pro',
  };
  const say = (prompt: string, ...options: string[]): Promise<string> => {
    const command = [process.execPath, installed('@google/gemini-cli/bundle/gemini.js')];
    return bench.run([...command, '--yolo', '--skip-trust', ...options, '-p', prompt], env);
  };
  const resume = ['--resume', 'latest'];
  assert.match(await say(PROMPTS.parallel), /Values: value-101 value-102/);
  assert.match(await say(PROMPTS.single, ...resume), /value-101 value-102 value-103/);
  assert.match(await say(PROMPTS.subagent, ...resume), /value-102 value-103 value-104/);
  assert.deepEqual(bench.refusals, []);
});
