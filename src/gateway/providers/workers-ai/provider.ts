import { withoutVersion } from '../base-url.ts';
import { modelBehind } from '../native-path.ts';
import { createOpenAiCompatibleProvider } from '../openai-compatible.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { Provider } from '../provider.ts';
import { unconfigured } from '../unconfigured.ts';

const NAME = 'workers-ai';
const EXAMPLE = 'https://api.cloudflare.com/client/v4/accounts/{account_id}/ai';

/** Workers AI of one account: its address names the account, so the operator has to. */
export function createWorkersAiProvider(settings: ProviderSettings): Provider {
  if (settings.baseUrl === undefined) return unconfigured(NAME, EXAMPLE);
  const baseUrl = withoutVersion(settings.baseUrl);
  return createOpenAiCompatibleProvider(
    { ...settings, baseUrl },
    {
      name: NAME,
      baseUrl,
      serves: ['chat/completions', 'responses', 'embeddings'],
      operationPath: (operation) => `v1/${operation}`,
      nativePath,
      nativeModel: modelIn,
    },
  );
}

const RUN = /^(?:run\/)?((?:@|%40)(?:[^/?]+\/){2}[^/?]+)/;

function modelIn(pathAndQuery: string): string | undefined {
  return modelBehind(RUN, pathAndQuery);
}

/** A bare model, whose names begin with `@`, is to be run. */
function nativePath(path: string): string {
  if (/^(?:@|%40)/.test(path)) return `run/${path}`;
  return /^(?:chat\/completions|responses|embeddings)(?:\?|$)/.test(path) ? `v1/${path}` : path;
}
