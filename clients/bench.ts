import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { gatewayBody } from '../test/gateway/gateway-bodies.ts';
import { startAgentUpstream } from '../test/support/agent-upstream/agent-upstream.ts';
import { type TestServer, bootServer } from '../test/support/server.ts';
import { type AgentTools, agentScript } from './agent-script.ts';

const PACKAGES = path.join(import.meta.dirname, 'node_modules');
const RUN_TIMEOUT_MS = 120_000;

/** Models of one provider for each dialect. */
export const MODELS = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5',
  'google-ai-studio/gemini-3-pro',
  'mistral/mistral-large-latest',
] as const;

/** A server with fake providers, and a home directory for one agent. */
export interface AgentBench {
  server: TestServer;
  /** Base URL of the REST API of the account, without `/v1`. */
  restUrl: string;
  home: string;
  /** The refusals of the providers so far. */
  refusals: string[];
  /** Runs the agent in its working directory, and returns what it prints. */
  run(command: readonly string[], env: Record<string, string>): Promise<string>;
}

export async function startAgentBench(t: TestContext, tools: AgentTools): Promise<AgentBench> {
  const upstream = await startAgentUpstream(agentScript(tools));
  t.after(() => upstream.stop());
  const server = await bootServer('sqlite', { settings: upstream.settings });
  t.after(() => server.stop());
  const gateways = `${server.account}/ai-gateway/gateways`;
  const created = await server.call('POST', gateways, { body: gatewayBody('default', {}) });
  assert.equal(created.status, 200, created.text);
  const home = await mkdtemp(path.join(tmpdir(), 'latchkey-agent-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  await mkdir(path.join(home, 'work'));
  return {
    server,
    restUrl: `${server.baseUrl}${server.account}/ai`,
    home,
    refusals: upstream.refusals,
    run: (command, env) => run(command, env, home),
  };
}

/** @param name relative to the installed packages */
export function installed(name: string): string {
  return path.join(PACKAGES, name);
}

function run(
  command: readonly string[],
  env: Record<string, string>,
  home: string,
): Promise<string> {
  return runProgram(command, { cwd: path.join(home, 'work'), home, env });
}

/**
 * Runs a program with a small environment, so that no setting of the developer reaches it.
 * @returns the standard output
 */
export async function runProgram(
  [file = '', ...rest]: readonly string[],
  { cwd, home, env }: { cwd: string; home: string; env: Record<string, string> },
): Promise<string> {
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  assert.equal(code, 0, `${file} ended with ${code ?? signal}\n${output}\n${errors}`);
  return output;
}
