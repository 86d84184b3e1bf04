import { latchkey } from './latchkey.ts';
import { ports, upstreamUrl } from './ports.ts';
import type { Target } from './target.ts';

const json = { 'content-type': 'application/json' };
const messages = [{ role: 'user', content: 'Lorem ipsum dolor sit amet. '.repeat(10) }];

/** The same chat completion by each way to the upstream. */
export function completionTargets({ stream }: { stream: boolean }) {
  const asked = { messages, ...(stream ? { stream } : {}) };
  const body = JSON.stringify({ model: 'static', ...asked });
  const throughLatchkey = {
    name: 'Latchkey (token check, durable log row)',
    method: 'POST',
    url: `${latchkey.accountUrl}/ai/v1/chat/completions`,
    headers: { ...json, ...latchkey.headers },
    body: JSON.stringify({ model: 'openai/static', ...asked }),
  } satisfies Target;
  return {
    latchkey: throughLatchkey,
    latchkeyCached: {
      ...throughLatchkey,
      name: 'Latchkey, from its cache (HIT; token check, durable log row)',
      headers: { ...throughLatchkey.headers, 'cf-aig-cache-ttl': '3600' },
    },
    portkey: {
      name: 'Portkey OSS (no token check, no log)',
      method: 'POST',
      url: `http://127.0.0.1:${ports.portkey}/v1/chat/completions`,
      headers: {
        ...json,
        authorization: 'Bearer sk-x',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': upstreamUrl,
      },
      body,
    },
    nginx: {
      name: 'nginx proxy_pass (no token check, no log)',
      method: 'POST',
      url: `http://127.0.0.1:${ports.nginx}/chat/completions`,
      headers: json,
      body,
    },
    direct: {
      name: 'directly to the upstream',
      method: 'POST',
      url: `${upstreamUrl}/chat/completions`,
      headers: json,
      body,
    },
  } satisfies Record<string, Target>;
}
