import type { Dispatcher } from 'undici';
import { messagesToChat } from '../../translators/messages-to-chat/messages-to-chat.ts';
import { responsesToChat } from '../../translators/responses-to-messages/responses-to-messages.ts';
import { plainPath } from '../native-path.ts';
import type {
  HeaderPairs,
  OperationSupport,
  ProviderSettings,
  UpstreamProvider,
} from '../provider.ts';
import { AccessTokens } from './access-tokens.ts';
import { isServiceAccountKey } from './service-account.ts';
import { addressIn, isExpress, nativeAddress, readAddress, splitModel } from './vertex-address.ts';

/**
 * Creates Google's Vertex AI: its own API on native paths, and its OpenAI-compatible one. Every address contains a project
 * and a location; for operations, the operator's base URL or the model contains them. A key is the JSON file of a service
 * account, or an access token, or an API key for native paths of the express mode.
 */
export function createGoogleVertexAiProvider(
  settings: ProviderSettings,
  dispatcher?: Dispatcher,
): UpstreamProvider {
  const named = readAddress(settings.baseUrl);
  const tokens = new AccessTokens(named.ownOrigin, dispatcher);
  const chat: OperationSupport = {
    endpoint(call) {
      const { project, location } = splitModel(named, call.model);
      const place = `v1/projects/${project}/locations/${location}`;
      return addressIn(named, location, `${place}/endpoints/openapi/chat/completions`);
    },
    model: (call) => splitModel(named, call.model).model,
  };
  return {
    kind: 'upstream',
    name: 'google-vertex-ai',
    isTrusted: true,
    apiKey: settings.apiKey,
    takesJsonKeys: true,
    operations: {
      'chat/completions': chat,
      messages: { ...chat, translator: messagesToChat },
      responses: { ...chat, translator: responsesToChat },
    },
    nativeEndpoint: (path) => nativeAddress(named, path),
    nativeModel: modelInPath,
    credentialHeaders: ['authorization', 'x-goog-api-key'],
    authorize(apiKey, { endpoint, nowMs }) {
      if (!isServiceAccountKey(apiKey)) {
        return isExpress(endpoint) ? ['x-goog-api-key', apiKey] : bearer(apiKey);
      }
      const token = tokens.get(apiKey, nowMs);
      return typeof token === 'string' ? bearer(token) : token.then(bearer);
    },
  };
}

/** Returns the model in a native path as requests for operations name it, with its publisher. */
function modelInPath(pathAndQuery: string): string | undefined {
  const path = plainPath(pathAndQuery);
  const [, publisher, model = ''] =
    /^.*\/publishers\/([\w.-]+)\/models\/([\w.%-]+)%3A/.exec(path) ?? [];
  return publisher === undefined ? undefined : `${publisher}/${model.replaceAll('%40', '@')}`;
}

function bearer(token: string): HeaderPairs {
  return ['authorization', `Bearer ${token}`];
}
