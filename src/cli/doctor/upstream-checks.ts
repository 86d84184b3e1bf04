import { type Dispatcher, request } from 'undici';
import type { Settings } from '../../config/settings.ts';
import { openIdProviderOf } from '../../app-settings.ts';
import { createProviders } from '../../gateway/providers/catalogue.ts';
import { createTrustedAgent } from '../../http/trusted-agent.ts';
import { createMailTransport } from '../../iam/mail/mailer.ts';
import { type SmtpFailure, explainSmtpFailure } from '../../iam/mail/smtp-failure.ts';
import { OpenIdProvider } from '../../iam/single-sign-on/openid-provider.ts';
import { systemClock } from '../../lib/clock.ts';
import { causeOf } from './cause-of.ts';
import { type Check, type Finding, fault, ok } from './check.ts';

const STEP_TIMEOUT_MS = 3_000;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** Connects, upgrades to TLS and logs in as the server does for each message. */
const mail: Check = {
  name: 'others',
  async run({ settings: { SMTP_URL: server, FORWARD_PROXIES: proxies } }) {
    if (server === undefined) return [];
    const place = `mail server ${server.host}:${server.port}`;
    const transport = createMailTransport({ server, proxies, stepTimeoutMs: STEP_TIMEOUT_MS });
    try {
      await transport.verify();
    } catch (error) {
      const failure = error as SmtpFailure;
      const codes = [failure.code, failure.originalCode, failure.responseCode];
      const text = codes.filter((code) => code !== undefined).join(' ') || causeOf(error);
      const cause = explainSmtpFailure(server, failure);
      return [fault(`${place} is unusable: ${text}`, cause ?? 'check LATCHKEY_SMTP_URL')];
    } finally {
      transport.close();
    }
    const did = server.credentials === undefined ? 'accepts connections' : 'accepts the login';
    return [ok(`${place} ${did}`)];
  },
};

/** Reads the provider metadata as a sign-in does. */
const openIdProvider: Check = {
  name: 'others',
  async run({ settings }) {
    const found = openIdProviderOf(settings);
    if (found === undefined) return [];
    const place = `OpenID provider ${placeOf(found.issuer)}`;
    try {
      await new OpenIdProvider(found, systemClock).prepare();
    } catch (error) {
      const advice = 'check LATCHKEY_OIDC_ISSUER, DNS, the firewall and the certificate';
      return [fault(`${place}: ${(error as Error).message}`, advice)];
    }
    return [ok(`${place} responds with its metadata`)];
  },
};

/** Sends a request without a key to each provider that has settings. */
const modelProviders: Check = {
  name: 'others',
  async run({ settings, signal }) {
    const agent = createTrustedAgent(STEP_TIMEOUT_MS, settings.FORWARD_PROXIES);
    try {
      const targets = listProviders(settings);
      return await Promise.all(
        targets.map(([name, url]) => callProvider(name, url, agent, signal)),
      );
    } finally {
      await agent.destroy();
    }
  },
};

function listProviders({ PROVIDERS }: Settings): [name: string, url: string][] {
  return [...createProviders(PROVIDERS)].flatMap(([name, provider]): [string, string][] => {
    if (!PROVIDERS.has(name)) return [];
    const { keyOrigin } = provider.kind === 'upstream' ? provider : {};
    const builtIn = typeof keyOrigin === 'string' ? keyOrigin : undefined;
    const url = PROVIDERS.get(name)?.baseUrl ?? builtIn;
    return url === undefined ? [] : [[name, url]];
  });
}

async function callProvider(
  name: string,
  url: string,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Finding> {
  const place = `provider ${name} ${placeOf(url)}`;
  try {
    // The status does not matter: the request has no key.
    const { body } = await request(url, {
      method: 'HEAD',
      dispatcher,
      signal,
      headersTimeout: STEP_TIMEOUT_MS,
    });
    await body.dump();
    return ok(`${place} responds`);
  } catch (error) {
    const advice = 'check the address, DNS, the firewall and the certificate';
    return fault(`${place} is unreachable: ${causeOf(error)}`, advice);
  }
}

/** `host:port` of a URL. */
function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'http:' ? HTTP_PORT : HTTPS_PORT)}`;
}

/** Checks of the services that this server connects to. */
export const upstreamChecks: readonly Check[] = [mail, openIdProvider, modelProviders];
