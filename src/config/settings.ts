import type { ForwardProxies } from '../lib/forward-proxies.ts';
import { readProxies } from './read-proxies.ts';
import { isId } from '../lib/ids.ts';
import { isWellFormedSecret } from '../lib/secrets.ts';
import { checkCombinations } from './setting-combinations.ts';
import { checkPublicAddress } from './public-address.ts';
import {
  type ProviderSettings,
  isProviderKey,
  isProviderSetting,
  providerSettingDocs,
  readProviders,
} from './provider-settings.ts';
import {
  PREFIX,
  type Parsed,
  type Setting,
  type SettingDoc,
  parseValue,
  secretSetting,
  setting,
} from './setting.ts';
import { collectValues } from './setting-values.ts';
import {
  SettingError,
  address,
  addressWithPath,
  allowedTargets,
  databaseUrl,
  dnsServers,
  headerKey,
  integer,
  isProxyAddress,
  issuer,
  list,
  listenHost,
  mailAddress,
  masterKey,
  flag,
  oneOf,
  redirectHosts,
  redirectSchemes,
  smtpServer,
  text,
} from './setting-parsers.ts';

// Whoever reads the settings meets it.
export { SettingError };

/** The path prefix of the management API (seed section 9). */
export const API_PREFIX = '/client/v4';

/** Every setting: its name is `LATCHKEY_` and the key. */
const settings = {
  HOST: setting('Address to listen on', '127.0.0.1', listenHost),
  PORT: setting('Port to listen on; 0: any free port', '8787', integer(0, 65_535)),
  DATA_DIR: setting('Directory of the embedded database and of the gateway logs', './data', text),
  DATABASE_URL: secretSetting(
    'URL of a PostgreSQL database, version 15 or newer, instead of the embedded database. With several comma-separated hosts, the server uses the host that accepts writes (target_session_attrs: read-write, primary or any)',
    undefined,
    databaseUrl,
  ),
  DATABASE_DIRECT_URL: secretSetting(
    'Direct URL of the same database for announcements between nodes and for migrations. Required if DATABASE_URL points to a connection pooler in transaction mode',
    undefined,
    databaseUrl,
  ),
  DATABASE_POOL_SIZE: setting(
    'Maximum number of PostgreSQL connections for requests per node. Notifications and gateway logs use a few more',
    '10',
    integer(1, 1_000),
  ),
  MASTER_KEY: secretSetting(
    'Key that encrypts stored secrets, from `openssl rand -base64 32`. All nodes need the same key. Default: created at the first start in DATA_DIR/master.key',
    undefined,
    masterKey,
  ),
  BASE_URL: setting(
    'Public URL of the API, with /client/v4. Default: derived from HOST and PORT. Required for email and single sign-on if the server listens on all addresses',
    undefined,
    addressWithPath(API_PREFIX),
  ),
  GATEWAY_URL: setting(
    'Public URL of provider-native gateway endpoints, without a path; default: derived from HOST and PORT',
    undefined,
    addressWithPath('/'),
  ),
  BRAND: setting(
    'Product name in resource names, DNS records and page titles',
    'latchkey',
    (value) => {
      if (!/^[a-z][a-z0-9-]{0,31}$/.test(value)) {
        throw new SettingError('must be 1 to 32 of a-z, 0-9 and -, and start with a letter');
      }
      return value;
    },
  ),
  BOOTSTRAP_ACCOUNT_ID: setting('First start: id of the first account', undefined, (value) => {
    if (!isId(value)) throw new SettingError('must be 32 lowercase hex digits');
    return value;
  }),
  BOOTSTRAP_EMAIL: setting('First start: email of the first user', undefined, (value) => {
    if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(value)) {
      throw new SettingError('must be an email address');
    }
    return value;
  }),
  BOOTSTRAP_PASSWORD: secretSetting(
    'First start: password of the first user',
    undefined,
    (value) => {
      if (value.length < 12 || value.length > 256) {
        throw new SettingError('must have 12 to 256 characters');
      }
      return text(value);
    },
  ),
  BOOTSTRAP_TOKEN: secretSetting(
    'First start: API token with every permission (create one with `latchkey token generate`)',
    undefined,
    (value) => {
      if (!isWellFormedSecret(value, 'lkat_')) {
        throw new SettingError(
          'is not a well-formed API token: create one with `latchkey token generate`',
        );
      }
      return value;
    },
  ),
  TAGS_NOT_FOUND_STATUS: setting(
    'Status of GET /tags for a resource without tags: 500 (as published) or 404',
    '500',
    (value) => (oneOf('500', '404')(value) === '404' ? 404 : 500),
  ),
  RESOURCE_TYPES: setting('Additional resource types, comma-separated', '', (value) => {
    const types = list(value);
    const bad = types.find((type) => !/^[a-z][a-z0-9_]{0,63}$/.test(type));
    if (bad !== undefined)
      throw new SettingError(`contains "${bad}", which is not a valid resource type`);
    return types;
  }),
  TRUST_PROXY: setting(
    'Proxies whose x-forwarded-for header is trusted: addresses and CIDR ranges, comma-separated',
    '',
    (value) => {
      const proxies = list(value);
      const bad = proxies.find((item) => !isProxyAddress(item));
      if (bad !== undefined)
        throw new SettingError(`contains "${bad}", which is not an address or range`);
      return proxies;
    },
  ),
  SMTP_URL: secretSetting(
    'Mail server: smtp://user:password@host:587 (STARTTLS) or smtps://…:465; without it, the server sends no email',
    undefined,
    smtpServer,
  ),
  MAIL_FROM: setting('Sender address of emails; required with SMTP_URL', undefined, mailAddress),
  OIDC_ISSUER: setting(
    'Issuer of the OpenID provider for single sign-on, exactly as in its discovery document',
    undefined,
    issuer,
  ),
  OIDC_CLIENT_ID: setting(
    'Client id of this server at the OpenID provider; required with OIDC_ISSUER',
    undefined,
    text,
  ),
  OIDC_CLIENT_SECRET: secretSetting(
    'Client secret at the OpenID provider; without it, the client is public',
    undefined,
    headerKey,
  ),
  OIDC_NAME: setting('Display name of the OpenID provider', 'single sign-on', text),
  OIDC_TRUST_EMAIL: setting(
    'Accept email addresses of the OpenID provider without `email_verified`, as Microsoft Entra requires. Users of the provider must not be able to choose their address: true or false',
    'false',
    flag,
  ),
  REDIRECT_SCHEMES: setting(
    'Private-use schemes that redirect URIs of clients without a secret may use besides reverse domains, such as `cursor,vscode`. Any app on a device can claim such a scheme',
    '',
    redirectSchemes,
  ),
  REDIRECT_HTTP_HOSTS: setting(
    'Hosts besides localhost whose redirect URIs may use http: private addresses and ranges, names without a dot, and names or `*.suffix` of .localhost, .local, .internal and .home.arpa. Codes cross the network unencrypted',
    '',
    redirectHosts,
  ),
  PASSWORD_SIGN_IN: setting(
    'Sign-in with passwords, and links to set one. Without it, users need the OpenID provider or a passkey: true or false',
    'true',
    flag,
  ),
  DNS_SERVERS: setting(
    'DNS resolvers for the verification of publisher hosts: addresses with an optional :port, comma-separated; default: the resolvers of the system',
    '',
    dnsServers,
  ),
  VERIFICATION_POLL_SECONDS: setting(
    'Time between the first two lookups of the TXT record of an OAuth client. The time doubles after each lookup, up to 20 times this value',
    '30',
    integer(1, 86_400),
  ),
  VERIFICATION_TIMEOUT_SECONDS: setting(
    'Time after which the verification of an OAuth client has failed',
    '172800',
    integer(1, 31_536_000),
  ),
  RATE_LIMIT: setting(
    'API requests per 5 minutes and credential, including userinfo; 0 = off. AI model calls do not count: gateways have their own rate limits',
    '0',
    integer(0, 10_000_000),
  ),
  LOG_RETENTION_DAYS: setting(
    'Days for which gateway logs are kept; 0: forever',
    '90',
    integer(0, 3_650),
  ),
  TAG_CHANGES_DAYS: setting(
    'Days for which changes of tags are kept; 0: forever',
    '30',
    integer(0, 3_650),
  ),
  PRICES: setting(
    'JSON file with custom prices, which override the public ones: by provider and model, in US dollars per million tokens: input, cached_input, cache_write, output',
    undefined,
    text,
  ),
  PRICES_URL: setting(
    'URL of current public prices in the format of @pydantic/genai-prices; default: none, the server uses the prices that are included in its version',
    undefined,
    address,
  ),
  PRICES_REFRESH_HOURS: setting('Time between two downloads of PRICES_URL', '24', integer(1, 168)),
  LOG_LEVEL: setting(
    'Minimum level of log lines',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
  BODY_LIMIT_BYTES: setting(
    'Maximum request body size of the management API',
    String(1024 * 1024),
    integer(1_024, 1024 ** 3),
  ),
  GATEWAY_BODY_LIMIT_BYTES: setting(
    'Maximum request body size of the gateway',
    String(100 * 1024 * 1024),
    integer(1_024, 1024 ** 3),
  ),
  GATEWAY_BODIES_LIMIT_BYTES: setting(
    'Total memory for gateway request bodies above 64 KiB',
    String(1024 ** 3),
    integer(1024 * 1024, 64 * 1024 ** 3),
  ),
  JSON_MAX_DEPTH: setting('Maximum nesting depth of a JSON body', '64', integer(8, 1_000)),
  HEADER_LIMIT_BYTES: setting(
    'Maximum total size of request headers',
    String(16 * 1024),
    integer(4_096, 1024 * 1024),
  ),
  HEADERS_TIMEOUT_MS: setting(
    'Time for a client to send its request headers. After the same time again, a body must arrive at 500 bytes per second on average',
    '15000',
    integer(100, 3_600_000),
  ),
  REQUEST_TIMEOUT_MS: setting(
    'Time for a client to send its whole request',
    '300000',
    integer(100, 3_600_000),
  ),
  SEND_TIMEOUT_MS: setting(
    'Maximum time during which a client does not read its response',
    '60000',
    integer(100, 3_600_000),
  ),
  MAX_CONNECTIONS: setting(
    'Maximum number of client connections; 0: half of the open files limit of the process, on Linux',
    '0',
    integer(0, 1_000_000),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    'Maximum number of connections from one IPv4 address or one IPv6 /48, except from TRUST_PROXY; 0: unlimited',
    '1024',
    integer(0, 1_000_000),
  ),
  UPSTREAM_ALLOW: setting(
    'Non-public destinations that the server may connect to when users choose the address, as for custom providers and logos: host, host:port, address, address:port and CIDR ranges, comma-separated',
    '',
    allowedTargets,
  ),
  UPSTREAM_HEADERS_TIMEOUT_MS: setting(
    'Time for a model provider to begin its response',
    '300000',
    integer(100, 3_600_000),
  ),
  UPSTREAM_IDLE_TIMEOUT_MS: setting(
    'Maximum time between two parts of a response of a model provider',
    '300000',
    integer(100, 3_600_000),
  ),
  STREAM_PING_INTERVAL_MS: setting(
    'Silence of a model provider after which the gateway sends a ping in an event stream',
    '15000',
    integer(100, 300_000),
  ),
  SHUTDOWN_TIMEOUT_MS: setting(
    'Time for requests in progress to finish when the server stops',
    '30000',
    integer(0, 3_600_000),
  ),
} satisfies Record<string, Setting<unknown>>;

type ParsedSettings = { [Name in keyof typeof settings]: Parsed<(typeof settings)[Name]> };

export interface Settings extends ParsedSettings {
  /** By the provider's name as the gateway knows it: lower case, `-` for `_`. */
  PROVIDERS: ReadonlyMap<string, ProviderSettings>;
  /** From `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
  FORWARD_PROXIES: ForwardProxies;
}

/** All settings, for `--help` and the reference. */
export function describeSettings(): SettingDoc[] {
  return [
    ...Object.entries<Setting<unknown>>(settings).map(([name, spec]) => ({
      name: PREFIX + name,
      default: spec.default ?? '',
      meaning: spec.meaning,
      isSecret: spec.secret === true,
    })),
    ...providerSettingDocs,
  ];
}

/**
 * Reads the settings; environment variables take precedence over the config file.
 * @param file parsed content of the `--config` file: an object with the same names
 * @param warn receives one line for each unknown environment variable with the prefix
 * @throws SettingError with one line that names the setting
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, unknown>> = {},
  warn: (message: string) => void = () => {},
): Settings {
  const values = collectValues(environment, file, { isKnown, isSecret }, warn);
  const parsed: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries<Setting<unknown>>(settings)) {
    const { text: value, source } = values.get(PREFIX + key) ?? {
      text: spec.default,
      source: PREFIX + key,
    };
    parsed[key] = value === undefined ? undefined : parseValue(source, value, spec);
  }
  const complete = parsed as ParsedSettings;
  checkCombinations(complete);
  checkPublicAddress(complete);
  const FORWARD_PROXIES = readProxies(environment);
  return { ...complete, PROVIDERS: readProviders(values), FORWARD_PROXIES };
}

function specOf(name: string): Setting<unknown> | undefined {
  const key = name.slice(PREFIX.length);
  return Object.hasOwn(settings, key) ? settings[key as keyof typeof settings] : undefined;
}

function isKnown(name: string): boolean {
  return specOf(name) !== undefined || isProviderSetting(name);
}

function isSecret(name: string): boolean {
  return specOf(name)?.secret === true || isProviderKey(name);
}
