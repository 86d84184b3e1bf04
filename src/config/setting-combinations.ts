import { PREFIX } from './setting.ts';
import { SettingError } from './setting-parsers.ts';

/** The settings that depend on each other. */
interface Combined {
  DATABASE_URL: string | undefined;
  DATABASE_DIRECT_URL: string | undefined;
  HEADERS_TIMEOUT_MS: number;
  REQUEST_TIMEOUT_MS: number;
  SMTP_URL: object | undefined;
  MAIL_FROM: string | undefined;
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_CLIENT_SECRET: string | undefined;
  PASSWORD_SIGN_IN: boolean;
}

/** @throws SettingError for a setting that needs another one, or contradicts it */
export function checkCombinations(settings: Combined): void {
  checkDatabase(settings);
  checkTimeouts(settings);
  checkMail(settings);
  checkOpenIdProvider(settings);
}

function checkDatabase({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl }: Combined): void {
  if (directUrl === undefined || url !== undefined) return;
  throw new SettingError(`${PREFIX}DATABASE_DIRECT_URL requires ${PREFIX}DATABASE_URL`);
}

/** The headers are part of the request: node:http refuses to wait longer for a part than for all. */
function checkTimeouts({
  HEADERS_TIMEOUT_MS: headersMs,
  REQUEST_TIMEOUT_MS: requestMs,
}: Combined): void {
  if (headersMs <= requestMs) return;
  throw new SettingError(
    `${PREFIX}HEADERS_TIMEOUT_MS (${headersMs}) must not be above ${PREFIX}REQUEST_TIMEOUT_MS (${requestMs})`,
  );
}

function checkMail({ SMTP_URL: server, MAIL_FROM: from }: Combined): void {
  if (server === undefined || from !== undefined) return;
  throw new SettingError(`${PREFIX}SMTP_URL requires ${PREFIX}MAIL_FROM`);
}

function checkOpenIdProvider(settings: Combined): void {
  const { OIDC_ISSUER: url, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = settings;
  if (url === undefined && !settings.PASSWORD_SIGN_IN) {
    throw new SettingError(`${PREFIX}PASSWORD_SIGN_IN=false requires ${PREFIX}OIDC_ISSUER`);
  }
  if (url === undefined && id === undefined && secret === undefined) return;
  const missing = url === undefined ? 'ISSUER' : id === undefined ? 'CLIENT_ID' : undefined;
  if (missing === undefined) return;
  throw new SettingError(
    `${PREFIX}OIDC_${missing} is required with the other ${PREFIX}OIDC settings`,
  );
}
