import { type PinnedProcess, startPinned, untilReady } from './pinned-process.ts';
import { ports } from './ports.ts';

/** Portkey's gateway, the open source one, without a cache or logs. */
export async function startPortkey(): Promise<PinnedProcess> {
  const server = startPinned(0, [
    process.execPath,
    'bench/node_modules/@portkey-ai/gateway/build/start-server.js',
    `--port=${ports.portkey}`,
    '--headless',
  ]);
  await untilReady(`http://127.0.0.1:${ports.portkey}`, server);
  return server;
}
