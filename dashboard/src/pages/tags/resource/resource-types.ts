import { resourceWords } from '../../audit-log/audit-words.ts';

/** Types of resources that live in this server: they keep the name of their record. */
const OWN_TYPES: ReadonlySet<string> = new Set([
  'account',
  'ai_gateway',
  'api_token',
  'oauth_client',
]);

/** A version of a worker is known only together with its worker. */
export const WORKER_VERSION = 'worker_version';

/** Whether resources of a type live in this server, so that they must exist to be tagged. */
export function isOwnType(type: string): boolean {
  return OWN_TYPES.has(type);
}

const ABBREVIATIONS = /\b(api|cws|d1|dns|kv|r2)\b/g;

/** A type in words: "OAuth client", "KV namespace". */
export function typeWords(type: string): string {
  const words = resourceWords(type).replace(ABBREVIATIONS, (part) => part.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
