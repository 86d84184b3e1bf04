import { type PinnedProcess, startPinned, untilReady } from './pinned-process.ts';
import { ports } from './ports.ts';

export const portkeyUrl = `http://127.0.0.1:${ports.portkey}`;

/** Starts Portkey's gateway, the open source one, without a cache or logs, and does not wait. */
export function launchPortkey(): PinnedProcess {
  return startPinned(0, [
    process.execPath,
    'bench/node_modules/@portkey-ai/gateway/build/start-server.js',
    `--port=${ports.portkey}`,
    '--headless',
  ]);
}

/** The same, and waits until it answers. */
export async function startPortkey(): Promise<PinnedProcess> {
  const server = launchPortkey();
  await untilReady(portkeyUrl, server);
  return server;
}
