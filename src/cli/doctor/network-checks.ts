import { Resolver } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { localOrigin } from '../../config/public-address.ts';
import { API_PREFIX } from '../../config/settings.ts';
import { parsePostgresUrl } from '../../lib/postgres-url.ts';
import { causeOf } from './cause-of.ts';
import { type Check, type Finding, fault, ok, warning } from './check.ts';
import { upstreamChecks } from './upstream-checks.ts';

const DNS_TIMEOUT_MS = 1_500;
const CONNECT_TIMEOUT_MS = 3_000;
const POSTGRES_PORT = 5_432;
const HTTPS_PORT = 443;
const EXPIRY_DAYS = 14;
const MS_PER_DAY = 86_400_000;
/** Whatever a resolver says of it, it has answered. */
const QUESTION = 'latchkey.invalid';

const server: Check = {
  name: 'server',
  async run({ settings, signal }) {
    const url = `${localOrigin(settings)}/readyz`;
    const answer = await fetch(url, { signal }).catch(() => undefined);
    if (answer === undefined) {
      return [
        warning(
          `no server responds at ${url}`,
          'start the server, unless it runs on another machine',
        ),
      ];
    }
    if (answer.ok) return [ok('running and ready')];
    const advice = 'see its log and the other findings for the cause';
    return [fault(`running but not ready: ${await reasonOf(answer)}`, advice)];
  },
};

async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  const [, message] = /"message":"([^"]+)"/.exec(text) ?? [];
  return `${answer.status} ${message ?? ''}`.trim();
}

const publicAddress: Check = {
  name: 'public address',
  async run({ settings: { BASE_URL, TRUST_PROXY }, signal }) {
    if (BASE_URL === undefined) {
      const advice = 'set LATCHKEY_BASE_URL before clients on other machines use the server';
      return [warning('LATCHKEY_BASE_URL is not set', advice)];
    }
    const { origin, protocol, hostname, port } = new URL(BASE_URL);
    const findings: Finding[] = [];
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    if (protocol !== 'https:' && !isLocal) {
      const advice = 'put a reverse proxy with TLS in front of the server: see docs/operations.md';
      findings.push(fault(`${origin} is not HTTPS: tokens are sent unencrypted`, advice));
    }
    // The server itself does not speak TLS.
    if (protocol === 'https:' && TRUST_PROXY.length === 0) {
      const advice = 'set LATCHKEY_TRUST_PROXY to the address of the proxy';
      const message = 'without LATCHKEY_TRUST_PROXY, all clients behind a proxy share its address';
      findings.push(warning(message, advice));
    }
    findings.push(await askPublicly(origin, signal));
    if (protocol === 'https:') findings.push(...(await lookAtCertificate(hostname, port)));
    return findings;
  },
};

async function askPublicly(origin: string, signal: AbortSignal): Promise<Finding> {
  try {
    // A proxy may well keep /readyz to itself.
    const { status } = await fetch(`${origin}${API_PREFIX}`, { signal, redirect: 'manual' });
    if (status < 500) return ok(`${origin} answers`);
    return fault(
      `${origin} responds with status ${status}`,
      'check that the server is running and that the proxy can reach it',
    );
  } catch (error) {
    const cause = causeOf(error);
    return fault(`${origin} is unreachable: ${cause}`, 'check DNS, the proxy and its certificate');
  }
}

async function lookAtCertificate(hostname: string, port: string): Promise<Finding[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  // A name that is asked for is no address (RFC 6066 section 3).
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const options = { host, port: Number(port) || HTTPS_PORT, ...servername };
  const socket = connectTls({ ...options, rejectUnauthorized: false }, () => {
    resolve(Date.parse(socket.getPeerCertificate().valid_to));
  });
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => resolve(undefined)).on('error', reject);
  // That it cannot be reached was told.
  const endMs = await promise.catch(() => undefined).finally(() => socket.destroy());
  if (endMs === undefined || Number.isNaN(endMs)) return [];
  const days = Math.floor((endMs - Date.now()) / MS_PER_DAY);
  const message = `the certificate of ${host} expires in ${days} days`;
  if (days < EXPIRY_DAYS)
    return [warning(message, 'renew the certificate, and check why the automatic renewal failed')];
  return [ok(message)];
}

const dns: Check = {
  name: 'DNS',
  async run({ settings: { DNS_SERVERS } }) {
    const servers = DNS_SERVERS.length > 0 ? DNS_SERVERS : new Resolver().getServers();
    return Promise.all(servers.map(askResolver));
  },
};

async function askResolver(address: string): Promise<Finding> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  resolver.setServers([address]);
  try {
    await resolver.resolveTxt(QUESTION);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ETIMEOUT' || code === 'ECONNREFUSED') {
      const advice = 'set LATCHKEY_DNS_SERVERS: the verification of publisher hosts needs DNS';
      return warning(`${address} does not respond`, advice);
    }
  }
  return ok(`${address} answers`);
}

const databaseHosts: Check = {
  name: 'others',
  run({ settings: { DATABASE_URL } }) {
    if (DATABASE_URL === undefined) return [];
    const { addresses } = parsePostgresUrl(DATABASE_URL);
    // The database check covers a single host.
    return addresses.length < 2 ? [] : Promise.all(addresses.map(connectToDatabaseHost));
  },
};

async function connectToDatabaseHost({ name }: { name: string }): Promise<Finding> {
  const { hostname, port } = new URL(`postgres://${name}`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port: Number(port) || POSTGRES_PORT }, resolve);
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => reject(new Error('no response'))).on('error', reject);
  try {
    await promise;
    return ok(`database host ${name} accepts connections`);
  } catch (error) {
    const message = `database host ${name} is unreachable: ${causeOf(error)}`;
    return warning(message, 'check the address, DNS and the firewall');
  } finally {
    socket.destroy();
  }
}

/** Checks of the network in both directions. */
export const networkChecks: readonly Check[] = [
  server,
  publicAddress,
  dns,
  databaseHosts,
  ...upstreamChecks,
];
