import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gatewayBody } from '../../gateway/gateway-bodies.ts';
import { authPath, codeOf, consent, consentPathOf } from '../../oauth/authorizing.ts';
import { clientBody } from '../../oauth/client-bodies.ts';
import type { DnsServer } from '../../support/dns-server.ts';
import { type Json, allowPolicy } from '../../support/server.ts';
import { Visitor } from '../../support/visitor.ts';
import { type CodeSource, AuthorizationWriter } from './authorization-writer.ts';
import type { Load, Writer } from './load.ts';
import { LogWriter } from './log-writer.ts';
import { SecretRotator, TokenRoller } from './secret-writers.ts';
import { TagWriter } from './tag-writer.ts';
import { thingKinds } from './thing-kinds.ts';
import { ThingWriter } from './thing-writer.ts';
import { VerificationWriter } from './verification-writer.ts';

/** Whose keys are changed, and which the models are asked through. */
const GATEWAY_ID = 'under-load';
const EMAIL = 'person@example.com';

/** Settings by which the first start makes a person, whose password is at hand. */
export function personSettings(): { BOOTSTRAP_EMAIL: string; BOOTSTRAP_PASSWORD: string } {
  return { BOOTSTRAP_EMAIL: EMAIL, BOOTSTRAP_PASSWORD: randomBytes(16).toString('hex') };
}

/** The writers of all that can be written, three of which can do more than that. */
export interface Writers {
  all: Writer[];
  authorizations: AuthorizationWriter;
  logs: LogWriter;
  verifications: VerificationWriter;
}

/** Makes what the writers need, on the first server. */
export async function setUp(
  load: Load,
  password: string,
  dns: DnsServer,
  mostLossMs: number,
): Promise<Writers> {
  const { accountId } = load.installation;
  const roles: Json[] = await load.all('/roles');
  await load.result('POST', '/ai-gateway/gateways', { body: gatewayBody(GATEWAY_ID) });
  // Who writes the log begins with the first that asks for it, and takes longer for that than a row waits.
  await load.result('GET', `/ai-gateway/gateways/${GATEWAY_ID}/logs`);
  const own = { accountId, gatewayId: GATEWAY_ID, roleIds: roles.slice(-2).map(({ id }) => id) };
  const rotated = await load.result('POST', '/oauth_clients', { body: clientBody() });
  const policies = [allowPolicy(accountId, ['tags.read'])];
  const rolled = await load.result('POST', '/tokens', { body: { name: 'rolled', policies } });
  const authorizations = new AuthorizationWriter(await allowClient(load, password));
  const logs = new LogWriter(GATEWAY_ID, mostLossMs);
  const verifications = new VerificationWriter(dns);
  const all = [
    ...thingKinds(own).map((kind) => new ThingWriter(kind)),
    new SecretRotator(rotated),
    new TokenRoller(rolled),
    authorizations,
    new TagWriter(),
    logs,
    verifications,
  ];
  return { all, authorizations, logs, verifications };
}

/** A client that the person has allowed what it asks for. */
async function allowClient(load: Load, password: string): Promise<CodeSource> {
  const { origin } = load.server;
  const client = await load.result('POST', '/oauth_clients', {
    body: clientBody({
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['tags.read'],
    }),
  });
  const visitor = new Visitor({ origin, baseUrl: `${origin}/client/v4` });
  const signedIn = await visitor.signIn(EMAIL, password);
  assert.equal(signedIn.status, 200, signedIn.text);
  const asked = consentPathOf(await visitor.open(authPath(client)));
  codeOf(await consent({ origin, ...load.installation }, visitor, asked));
  const { id: grantId } = await load.reading((db) =>
    db.selectFrom('oauth_grants').select('id').executeTakeFirstOrThrow(),
  );
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { client, cookie, grantId };
}
