import { type PinnedProcess, startPinned, untilReady } from './pinned-process.ts';
import { ports } from './ports.ts';

export const bareUrl = `http://127.0.0.1:${ports.bare}/gateway`;

/** Starts what a Node server does at best, and does not wait. */
export function launchBareFastify(): PinnedProcess {
  const program = [process.execPath, 'bench/contenders/bare-fastify.ts'];
  return startPinned(0, program, { PORT: String(ports.bare) });
}

/** The same, and waits until it answers. */
export async function startBareFastify(): Promise<PinnedProcess> {
  const server = launchBareFastify();
  await untilReady(bareUrl, server);
  return server;
}
