import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { findRoleBySlug } from '../../src/iam/roles.ts';
import { startFileServer } from '../support/file-server.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { startMailServer } from '../support/mail-server.ts';
import { bootServer } from '../support/server.ts';
import { eventually } from '../support/eventually.ts';
import { gatewayBody } from './gateway-bodies.ts';

const ANSWER = { id: 'c', object: 'chat.completion', model: 'm', choices: [], usage: {} };

test('a server behind a forward proxy reaches providers, OpenID and mail', async (t) => {
  const upstream = await startFileServer(t, 'https');
  const paths: string[] = [];
  upstream.answer = (request, response) => {
    paths.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/token') === true) {
      response.end(JSON.stringify({ access_token: 'ya29', expires_in: 3600 }));
    } else response.end(JSON.stringify(ANSWER));
  };
  const mail = await startMailServer(t);
  const proxy = await startForwardProxy(t, {
    credentials: 'me:secret-1',
    route: (authority) => (authority.startsWith('mail.') ? mail.port : upstream.port),
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const serviceAccount = {
    type: 'service_account',
    project_id: 'p',
    client_email: 'a@p.iam.gserviceaccount.com',
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    token_uri: 'https://provider.example/token',
  };
  const server = await bootServer('sqlite', {
    environment: { HTTPS_PROXY: proxy.url.replace('//', '//me:secret-1@') },
    settings: {
      PROVIDER_OPENAI_BASE_URL: 'https://provider.example/v1',
      PROVIDER_OPENAI_API_KEY: 'sk-1',
      PROVIDER_GOOGLE_VERTEX_AI_BASE_URL:
        'https://provider.example/v1/projects/p/locations/us-central1',
      PROVIDER_GOOGLE_VERTEX_AI_API_KEY: JSON.stringify(serviceAccount),
      OIDC_ISSUER: 'https://provider.example',
      OIDC_CLIENT_ID: 'latchkey',
      SMTP_URL: 'smtp://mail.example:25',
      MAIL_FROM: 'latchkey@example.com',
    },
  });
  t.after(() => server.stop());
  const { status } = await server.call('POST', `${server.account}/ai-gateway/gateways`, {
    body: gatewayBody('main', { authentication: false }),
  });
  assert.equal(status, 200);
  const complete = (model: string) =>
    fetch(`${server.origin}/v1/${server.accountId}/main/compat/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cf-aig-authorization': `Bearer ${server.token}`,
      },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    });
  const openai = await complete('openai/gpt-4.1');
  assert.deepEqual([openai.status, paths], [200, ['POST /v1/chat/completions']]);
  const vertex = await complete('google-vertex-ai/google/gemini-2.5-pro');
  assert.equal(vertex.status, 200, await vertex.text());
  assert.equal(paths[1], 'POST /token');
  await fetch(`${server.origin}/login/external`, { redirect: 'manual' });
  assert.ok(paths.includes('GET /.well-known/openid-configuration'), paths.join('\n'));
  const invitation = await server.call('POST', `${server.account}/members`, {
    body: { email: 'new@example.com', roles: [findRoleBySlug('administrator-read-only')?.id] },
  });
  assert.equal(invitation.status, 200, invitation.text);
  await eventually('the invitation arrives', async () => mail.received.length === 1);
  const authorities = new Set(proxy.requests);
  assert.deepEqual([...authorities].toSorted(), [
    'CONNECT mail.example:25',
    'CONNECT provider.example:443',
  ]);
  assert.equal(server.logLines.join('').includes('secret-1'), false);
});
