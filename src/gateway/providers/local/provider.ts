import type { LocalProvider } from '../provider.ts';
import { echo, errorAnswer } from './echo.ts';

/** Models inside this process, for trying things out without a key or a network. */
export function createLocalProvider(): LocalProvider {
  return {
    kind: 'local',
    name: 'local',
    respond({ method, path, body, nowMs }) {
      if (path !== 'chat/completions') {
        return errorAnswer(404, `local has no ${path}; it serves chat/completions`, null);
      }
      if (method !== 'POST') return errorAnswer(405, 'chat/completions takes POST', null);
      return echo(body, nowMs);
    },
  };
}
