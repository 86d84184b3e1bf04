import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Core, type PinnedProcess, startPinned, untilReady } from './pinned-process.ts';
import { ports, upstreamUrl } from './ports.ts';

/** A provider's answer to a chat completion. */
const completion = JSON.stringify({
  id: 'chatcmpl-static',
  object: 'chat.completion',
  created: 1,
  model: 'static',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Lorem ipsum dolor sit amet. '.repeat(20) },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 120, total_tokens: 140 },
});

/** nginx with one server block, in the foreground, without an access log. */
function startNginx(directory: string, core: Core, name: string, http: string): PinnedProcess {
  const config = path.join(directory, `${name}.conf`);
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${directory}/${name}.pid; error_log stderr error;
     events { worker_connections 8192; }
     http { access_log off; default_type application/json; keepalive_requests 10000000;
       client_body_temp_path ${directory}/${name}-body; ${http} }`,
  );
  return startPinned(core, ['nginx', '-c', config]);
}

/** A provider that answers every chat completion at once with the same bytes. */
export async function startStaticUpstream(directory: string): Promise<PinnedProcess> {
  const upstream = startNginx(
    directory,
    1,
    'upstream',
    `server { listen 127.0.0.1:${ports.upstream}; location / { return 200 '${completion}'; } }`,
  );
  await untilReady(upstreamUrl, upstream);
  return upstream;
}

/**
 * nginx that hands everything to the upstream.
 * @param buffering `off`: each chunk of an answer goes on as it comes
 */
export async function startNginxProxy(
  directory: string,
  buffering: 'on' | 'off',
): Promise<PinnedProcess> {
  const proxy = startNginx(
    directory,
    0,
    'proxy',
    `upstream provider { server 127.0.0.1:${ports.upstream}; keepalive 64; }
     server { listen 127.0.0.1:${ports.nginx};
       location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_buffering ${buffering};
                    proxy_set_header Connection ""; } }`,
  );
  await untilReady(`http://127.0.0.1:${ports.nginx}`, proxy);
  return proxy;
}
