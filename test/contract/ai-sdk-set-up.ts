import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

export const prompt = 'Grüße aus Wien 🌍';

/** Without a limit, the package for Anthropic warns that it does not know the model. */
export const limits = { maxRetries: 0, maxOutputTokens: 4_000 };

/** A server, and three providers that speak APIs of their own, with a key of the server for each. */
export interface ServerWithProviders {
  server: TestServer;
  openai: Upstream;
  anthropic: Upstream;
  gemini: Upstream;
  stop: () => Promise<void>;
}

/** @param settings of further providers */
export async function bootWithProviders(
  settings: Record<string, string> = {},
): Promise<ServerWithProviders> {
  const [openai, anthropic, gemini] = await Promise.all([
    startUpstream('openai-api-upstream.ts'),
    startUpstream('anthropic-upstream.ts'),
    startUpstream('gemini-upstream.ts'),
  ]);
  const server = await bootServer('sqlite', {
    settings: {
      PROVIDER_OPENAI_BASE_URL: openai.baseUrl,
      PROVIDER_OPENAI_API_KEY: 'sk-stored',
      PROVIDER_ANTHROPIC_BASE_URL: anthropic.baseUrl,
      PROVIDER_ANTHROPIC_API_KEY: 'sk-ant-stored',
      PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: gemini.baseUrl,
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'goog-stored',
      ...settings,
    },
  });
  return {
    server,
    openai,
    anthropic,
    gemini,
    async stop() {
      await server.stop();
      await Promise.all([openai, anthropic, gemini].map((upstream) => upstream.stop()));
    },
  };
}
