import { messagesToChat } from '../translators/messages-to-chat/messages-to-chat.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import { LocalError, completeChat } from './local/chat.ts';
import { createEmbeddings } from './local/embeddings.ts';
import { createResponse } from './local/responses.ts';
import type { LocalProvider, LocalResponse } from './provider.ts';

const handlers: ReadonlyMap<string, (body: Buffer, nowMs: number) => LocalResponse> = new Map([
  ['chat/completions', completeChat],
  ['responses', createResponse],
  ['embeddings', createEmbeddings],
]);

/** Creates the provider `local`, whose only model `echo` runs in this process, for tests without a key or a network. */
export function createLocalProvider(): LocalProvider {
  return {
    kind: 'local',
    name: 'local',
    operations: {
      'chat/completions': { path: 'chat/completions' },
      responses: { path: 'responses' },
      embeddings: { path: 'embeddings' },
      messages: { path: 'chat/completions', translator: messagesToChat },
    },
    respond({ method, path, body, nowMs }) {
      const operation = path.replace(/^v1\//, '');
      const handle = handlers.get(operation);
      try {
        if (handle === undefined) {
          const served = [...handlers.keys()].join(', ');
          throw new LocalError(404, `local does not serve ${path}; it serves ${served}`);
        }
        if (method !== 'POST') throw new LocalError(405, `${operation} requires POST`);
        return handle(body, nowMs);
      } catch (error) {
        if (error instanceof LocalError) return errorResponse(error);
        throw error;
      }
    },
  };
}

/** Returns an error in the format of the OpenAI API. */
function errorResponse({ status, message, param }: LocalError): LocalResponse {
  const error = { message, type: 'invalid_request_error', param, code: null };
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify({ error }),
    usage: UNKNOWN_USAGE,
  };
}
