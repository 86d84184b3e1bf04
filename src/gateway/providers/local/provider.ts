import { messagesToChat } from '../../translators/messages-to-chat/messages-to-chat.ts';
import type { LocalAnswer, LocalProvider } from '../provider.ts';
import { errorAnswer } from './answers.ts';
import { completeChat } from './chat-completions.ts';
import { createEmbeddings } from './embeddings.ts';
import { createResponse } from './responses.ts';

const answering: ReadonlyMap<string, (body: Buffer, nowMs: number) => LocalAnswer> = new Map([
  ['chat/completions', completeChat],
  ['responses', createResponse],
  ['embeddings', createEmbeddings],
]);

/** A model inside this process, for trying things out without a key or a network. */
export function createLocalProvider(): LocalProvider {
  return {
    kind: 'local',
    name: 'local',
    operations: {
      'chat/completions': { path: 'chat/completions' },
      responses: { path: 'responses' },
      embeddings: { path: 'embeddings' },
      messages: { path: 'chat/completions', translation: messagesToChat },
    },
    respond({ method, path, body, nowMs }) {
      const operation = path.replace(/^v1\//, '');
      const answer = answering.get(operation);
      if (answer === undefined) {
        const served = [...answering.keys()].join(', ');
        return errorAnswer(404, `local does not serve ${path}; it serves ${served}`, null);
      }
      if (method !== 'POST') return errorAnswer(405, `${operation} requires POST`, null);
      return answer(body, nowMs);
    },
  };
}
