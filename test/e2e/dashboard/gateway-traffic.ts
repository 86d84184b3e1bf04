import { MixedLoad } from '../../gateway/mixed-load.ts';
import { eventually } from '../../support/eventually.ts';
import { type BootOptions, type TestServer, bootServer } from '../../support/server.ts';
import { startUpstream } from '../../support/upstream-process.ts';

const CONCURRENCY = 24;

/** A server with providers behind it that answer, in a process of their own. */
export interface GatewayServer extends TestServer {
  /**
   * Sends so many requests of all kinds through the gateway `default`, and waits until all of them are in its
   * log: plain and streaming, of three APIs, some of which fail, are broken off, repeated or cached.
   * @returns how many rows the log has then
   */
  sendTraffic(requests: number): Promise<number>;
}

/**
 * Boots the server for tests of what the dashboard shows of the AI gateway.
 * @param options a clock, and a directory whose logs a test may fill itself
 */
export async function bootGatewayServer(
  settings: Record<string, string> = {},
  options: Pick<BootOptions, 'clock' | 'dataDir'> = {},
): Promise<GatewayServer> {
  const upstream = await startUpstream('counting-upstream.ts');
  const { origin } = new URL(upstream.baseUrl);
  const server = await bootServer('sqlite', {
    ...options,
    settings: {
      PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
      PROVIDER_OPENAI_API_KEY: 'sk-openai',
      PROVIDER_ANTHROPIC_BASE_URL: `${origin}/anthropic`,
      PROVIDER_ANTHROPIC_API_KEY: 'sk-ant',
      PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: `${origin}/v1beta`,
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'AIza',
      ...settings,
    },
  });
  let rows = 0;
  return {
    ...server,
    async sendTraffic(requests) {
      const load = new MixedLoad(server, server, CONCURRENCY);
      await load.send(requests, CONCURRENCY);
      rows += load.rows.length;
      const logs = `${server.account}/ai-gateway/gateways/default/logs?per_page=1`;
      await eventually('all rows are there', async () => {
        const { json } = await server.call('GET', logs);
        return json.result_info.total_count >= rows;
      });
      return rows;
    },
    async stop() {
      await server.stop();
      await upstream.stop();
    },
  };
}
