import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PROMPTS } from './agent-script.ts';
import { MODELS, installed, startAgentBench } from './bench.ts';

for (const model of MODELS) {
  test(`Codex works with ${model}`, async (t) => {
    const bench = await startAgentBench(t, {
      shell: (command) => ({ name: 'exec_command', arguments: { cmd: command } }),
    });
    const configuration = `
model = "${model}"
model_provider = "latchkey"

[model_providers.latchkey]
name = "Latchkey"
base_url = "${bench.restUrl}/v1"
env_key = "LATCHKEY_TOKEN"
wire_api = "responses"
`;
    const codexHome = path.join(bench.home, '.codex');
    await mkdir(codexHome);
    await writeFile(path.join(codexHome, 'config.toml'), configuration);
    const env = { CODEX_HOME: codexHome, LATCHKEY_TOKEN: bench.server.token };
    const say = (prompt: string, ...resume: string[]): Promise<string> => {
      const options = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
      const command = [process.execPath, installed('@openai/codex/bin/codex.js'), 'exec'];
      return bench.run([...command, ...options, ...resume, prompt], env);
    };
    assert.match(await say(PROMPTS.parallel), /Values: value-101 value-102/);
    const resume = ['resume', '--last'];
    assert.match(await say(PROMPTS.single, ...resume), /value-101 value-102 value-103/);
    assert.match(await say(PROMPTS.subagent, ...resume), /value-102 value-103 value-104/);
    assert.deepEqual(bench.refusals, []);
  });
}
