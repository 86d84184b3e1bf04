import { API_PREFIX, type Settings } from './config/settings.ts';
import { NO_OWN_PRICES, type OwnPrices, readOwnPrices } from './gateway/pricing/own-prices.ts';
import type { PriceSource } from './gateway/pricing/refresh-prices.ts';
import type { IamParts } from './iam/iam.ts';
import type { OpenIdProviderSettings } from './iam/single-sign-on/openid-provider.ts';
import type { DatabaseSettings } from './storage/database.ts';
import type { TagServices } from './tags/tag-services.ts';

// What each part of the server is told of the settings.

export function httpSettings(settings: Settings) {
  return {
    bodyLimitBytes: settings.BODY_LIMIT_BYTES,
    jsonMaxDepth: settings.JSON_MAX_DEPTH,
    headerLimitBytes: settings.HEADER_LIMIT_BYTES,
    headersTimeoutMs: settings.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    sendTimeoutMs: settings.SEND_TIMEOUT_MS,
    maxConnections: settings.MAX_CONNECTIONS,
    maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    trustProxy: settings.TRUST_PROXY,
    logLevel: settings.LOG_LEVEL,
  };
}

export function databaseSettings(settings: Settings): DatabaseSettings {
  return {
    databaseUrl: settings.DATABASE_URL,
    directUrl: settings.DATABASE_DIRECT_URL,
    dataDir: settings.DATA_DIR,
    poolSize: settings.DATABASE_POOL_SIZE,
  };
}

export function gatewaySettings(settings: Settings) {
  return {
    priceSource: priceSourceOf(settings),
    providers: settings.PROVIDERS,
    upstreamAllow: settings.UPSTREAM_ALLOW,
    forwardProxies: settings.FORWARD_PROXIES,
    upstreamHeadersTimeoutMs: settings.UPSTREAM_HEADERS_TIMEOUT_MS,
    upstreamIdleTimeoutMs: settings.UPSTREAM_IDLE_TIMEOUT_MS,
    streamPingIntervalMs: settings.STREAM_PING_INTERVAL_MS,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    apiPrefix: API_PREFIX,
    bodyLimitBytes: settings.GATEWAY_BODY_LIMIT_BYTES,
    bodiesLimitBytes: settings.GATEWAY_BODIES_LIMIT_BYTES,
    jsonMaxDepth: settings.JSON_MAX_DEPTH,
  };
}

export function requestLogSettings(settings: Settings) {
  return {
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    logRetentionDays: settings.LOG_RETENTION_DAYS,
  };
}

function priceSourceOf(settings: Settings): PriceSource | undefined {
  const { PRICES_URL: url, PRICES_REFRESH_HOURS: intervalHours } = settings;
  return url === undefined ? undefined : { url, intervalHours };
}

/** @throws Error with one line that names the setting, when the file cannot be used */
export async function ownPricesOf({ PRICES: file }: Settings): Promise<OwnPrices> {
  if (file === undefined) return NO_OWN_PRICES;
  try {
    return await readOwnPrices(file);
  } catch (error) {
    throw new Error(`cannot use LATCHKEY_PRICES ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function verificationSettings(settings: Settings) {
  return {
    dnsServers: settings.DNS_SERVERS,
    pollSeconds: settings.VERIFICATION_POLL_SECONDS,
    timeoutSeconds: settings.VERIFICATION_TIMEOUT_SECONDS,
  };
}

export function tagSettings(
  settings: Settings,
): Pick<TagServices, 'notFoundStatus' | 'extraResourceTypes' | 'bodyLimitBytes'> {
  return {
    notFoundStatus: settings.TAGS_NOT_FOUND_STATUS,
    extraResourceTypes: settings.RESOURCE_TYPES,
    bodyLimitBytes: settings.BODY_LIMIT_BYTES,
  };
}

export function oauthSettings(settings: Settings) {
  const { REDIRECT_SCHEMES: schemes, REDIRECT_HTTP_HOSTS: httpHosts } = settings;
  return {
    verification: verificationSettings(settings),
    redirectRules: { schemes, httpHosts },
    upstreamAllow: settings.UPSTREAM_ALLOW,
    forwardProxies: settings.FORWARD_PROXIES,
  };
}

/** How users sign in. */
export function signInSettings(
  settings: Settings,
): Pick<IamParts, 'openIdProvider' | 'hasPasswords'> {
  return { openIdProvider: openIdProviderOf(settings), hasPasswords: settings.PASSWORD_SIGN_IN };
}

export function openIdProviderOf(settings: Settings): OpenIdProviderSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_NAME: name } = settings;
  if (issuer === undefined || clientId === undefined) return undefined;
  const { OIDC_CLIENT_SECRET: clientSecret, FORWARD_PROXIES: forwardProxies } = settings;
  const { OIDC_TRUST_EMAIL: trustsEmail } = settings;
  return { issuer, clientId, clientSecret, name, trustsEmail, forwardProxies };
}

export function bootstrapSettings(settings: Settings) {
  return {
    accountId: settings.BOOTSTRAP_ACCOUNT_ID,
    token: settings.BOOTSTRAP_TOKEN,
    email: settings.BOOTSTRAP_EMAIL,
    password: settings.BOOTSTRAP_PASSWORD,
  };
}
