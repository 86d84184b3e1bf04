import { iam } from './0001-iam.ts';
import { oauthClients } from './0002-oauth-clients.ts';
import { gateway } from './0003-gateway.ts';
import { tags } from './0004-tags.ts';
import { people } from './0005-people.ts';
import { quotas } from './0006-quotas.ts';
import { oauthClientVerification } from './0007-oauth-client-verification.ts';
import { oauthServer } from './0008-oauth-server.ts';
import { gatewayRequestPath } from './0009-gateway-request-path.ts';
import { gatewayLogSettings } from './0010-gateway-logs.ts';
import { tagPostings } from './0011-tag-postings.ts';
import { quotaFamilies } from './0012-quota-families.ts';
import { endLoggedSessions } from './0013-end-logged-sessions.ts';
import { grantOrigins } from './0014-grant-origins.ts';
import { invitedEmails } from './0015-invited-emails.ts';
import { trustCustomCost } from './0016-trust-custom-cost.ts';
import { quotaWindows } from './0017-quota-windows.ts';
import { deferredCalls } from './0018-deferred-calls.ts';
import { accountSpendLimits } from './0019-account-spend-limits.ts';
import { modelAliases } from './0020-model-aliases.ts';
import { customProviderApis } from './0021-custom-provider-apis.ts';
import { tagTextForms } from './0022-tag-text-forms.ts';
import { idTokenClaims } from './0023-id-token-claims.ts';
import { sessionLogout } from './0024-session-logout.ts';
import { tokenCreators } from './0025-token-creators.ts';
import { byokOnly } from './0026-byok-only.ts';
import { gatewayLogs } from './logs-0001-gateway-logs.ts';
import { logRequestPath } from './logs-0002-request-path.ts';
import { logStore } from './logs-0003-log-store.ts';
import { usageSource } from './logs-0004-usage-source.ts';
import type { Migration } from './migration.ts';

/** Every migration in the order in which it runs. Released ones are never edited, only followed. */
export const migrations: readonly Migration[] = [
  iam,
  oauthClients,
  gateway,
  tags,
  people,
  quotas,
  oauthClientVerification,
  oauthServer,
  gatewayRequestPath,
  gatewayLogSettings,
  tagPostings,
  quotaFamilies,
  endLoggedSessions,
  grantOrigins,
  invitedEmails,
  trustCustomCost,
  quotaWindows,
  deferredCalls,
  accountSpendLimits,
  modelAliases,
  customProviderApis,
  tagTextForms,
  idTokenClaims,
  sessionLogout,
  tokenCreators,
  byokOnly,
];

/** Those of the gateway logs, which on the embedded database stand in a file of their own. */
export const logMigrations: readonly Migration[] = [
  gatewayLogs,
  logRequestPath,
  logStore,
  usageSource,
];

export const allMigrations: readonly Migration[] = [...migrations, ...logMigrations];
