import path from 'node:path';
import { createServer } from 'vite';
import { type DevTemplateOptions, devTemplate } from './dev-template.ts';

export interface DevServerOptions extends DevTemplateOptions {
  /** A name, not an address: passkeys need one. */
  host: string;
  port: number;
}

/**
 * Starts the server that browsers talk to in development: it brings changes of the sources into open
 * pages.
 * @returns what stops it
 * @throws when the port is in use
 */
export async function startDevServer({
  host,
  port,
  ...template
}: DevServerOptions): Promise<() => Promise<void>> {
  const vite = await createServer({
    configFile: path.join(import.meta.dirname, '../vite.config.ts'),
    plugins: [devTemplate(template)],
    // Others name the address, so it cannot be another one.
    server: { host, port, strictPort: true },
    clearScreen: false,
  });
  await vite.listen();
  return () => vite.close();
}
