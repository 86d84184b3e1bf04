import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess } from '../support/cli.ts';
import type { LoadedInstallation, LoadedNode } from './node-load.ts';

/** Several `latchkey serve` on one PostgreSQL database. */
export interface NodeProcesses extends LoadedInstallation {
  nodes: (LoadedNode & { process: CliProcess })[];
  stop(): Promise<void>;
}

/**
 * Starts nodes, all at the same moment.
 * @param directory where their data directories are made
 * @param settings without the `LATCHKEY_` prefix
 */
export async function startNodes(
  directory: string,
  count: number,
  settings: Record<string, string>,
): Promise<NodeProcesses> {
  const installation = { accountId: createId(), token: createSecret('lkat_') };
  const env = Object.fromEntries(
    Object.entries({
      PORT: '0',
      LOG_LEVEL: 'warn',
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_ACCOUNT_ID: installation.accountId,
      BOOTSTRAP_TOKEN: installation.token,
      // Nobody answers there.
      DNS_SERVERS: '127.0.0.1:9',
      ...settings,
    }).map(([name, value]) => [`LATCHKEY_${name}`, value]),
  );
  const processes: CliProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const process of processes) process.kill('SIGTERM');
    await Promise.all(processes.map((process) => process.result()));
  };
  try {
    const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`);
    const nodes = await Promise.all(
      names.map(async (name) => {
        const dataDir = path.join(directory, `${name}-${createId()}`);
        await mkdir(dataDir);
        const process = new CliProcess(['serve'], { env: { ...env, LATCHKEY_DATA_DIR: dataDir } });
        processes.push(process);
        return { name, process, origin: await process.origin() };
      }),
    );
    return { ...installation, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
