// Creates or updates two resources with alchemy, and prints them.
import process from 'node:process';
import alchemy from 'alchemy';
import { AccountApiToken, AiGateway } from 'alchemy/cloudflare';

const { ACCOUNT, CACHE_TTL } = process.env;
const app = await alchemy('latchkey', {
  stage: 'test',
  phase: 'up',
  password: 'only for this test',
  quiet: true,
});
const gateway = await AiGateway('gateway', {
  gatewayName: 'alchemy',
  cacheTtl: Number(CACHE_TTL),
  collectLogs: true,
});
const token = await AccountApiToken('token', {
  name: `alchemy ${CACHE_TTL}`,
  policies: [
    {
      effect: 'allow',
      permissionGroups: ['AI Gateway Read', 'AI Gateway Write', 'Account Settings Read'],
      resources: { [`com.cloudflare.api.account.${ACCOUNT}`]: '*' },
    },
  ],
  condition: { requestIp: { in: ['127.0.0.0/8'] } },
  expiresOn: '2999-01-01T00:00:00Z',
});
await app.finalize();
process.stdout.write(`RESULT ${JSON.stringify({ gateway: gateway.id, token: token.id })}\n`);
