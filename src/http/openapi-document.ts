import { patternSentence } from './schema-check.ts';
import type { OpenApiParts } from './openapi-operations.ts';

interface Operation {
  tags?: string[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: SchemaNode }> };
}

/** The parts of an OpenAPI document that this module changes. */
export interface OpenApiDocument extends OpenApiParts {
  openapi?: string;
}

/** Groups of operations, in the order of the reference. */
const SECTIONS: Readonly<Record<string, string>> = {
  User: 'The signed-in user',
  Sessions: 'Sign-in and sessions of users',
  Passwords: 'Passwords of users',
  'Two-factor authentication': 'TOTP, passkeys and recovery codes',
  Memberships: 'Memberships of the user',
  'Authorized apps': 'Authorizations that the user has given to OAuth clients',
  Accounts: 'Accounts',
  Members: 'Members of an account, their roles and invitations',
  'API tokens': 'Tokens of accounts and users',
  'Audit log': 'Records of changes',
  'OAuth clients': 'Applications that act for users',
  'OAuth and OpenID Connect': 'Endpoints of the authorization server',
  'AI gateway': 'Gateways, their logs and spend, and calls of AI models',
  'Resource tags': 'Tags of resources, and searches by tag',
  Health: 'State of the server',
};

/**
 * Completes a document that Fastify has collected: describes the groups of operations, and marks bodies as optional that
 * may be absent. Patterns with Unicode properties become sentences, because most languages cannot read them.
 * @throws Error if an operation belongs to an unknown group
 */
export function finishDocument(collected: OpenApiDocument): OpenApiDocument {
  // A copy, because routes validate with the same schemas.
  const document = JSON.parse(JSON.stringify(collected)) as OpenApiDocument;
  const used = new Set<string>();
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path) as Operation[]) {
      for (const tag of operation.tags ?? []) used.add(tag);
      if (operation.requestBody !== undefined) makeOptional(operation.requestBody);
    }
  }
  const unknown = [...used].find((tag) => !Object.hasOwn(SECTIONS, tag));
  if (unknown !== undefined) throw new Error(`the section ${unknown} has no description`);
  for (const path of Object.values(document.paths ?? {})) simplifySchemas(path);
  document.tags = Object.entries(SECTIONS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
  return document;
}

/** In the schema of a route, `null` represents a body that is absent. */
function makeOptional(body: NonNullable<Operation['requestBody']>): void {
  for (const media of Object.values(body.content ?? {})) {
    const branches = media.schema?.anyOf;
    const [schema, nothing, ...others] = branches ?? [];
    if (schema === undefined || nothing?.type !== 'null' || others.length > 0) continue;
    media.schema = schema;
    body.required = false;
  }
}

/** Option of a schema: the document omits the member. */
export const UNDOCUMENTED = 'x-undocumented';

// Valid with the flag `u` only.
const UNICODE_SYNTAX = /\\[pPu]\{/;

interface SchemaNode {
  type?: unknown;
  anyOf?: SchemaNode[];
  pattern?: unknown;
  description?: string;
  properties?: Record<string, { [UNDOCUMENTED]?: boolean }>;
}

function simplifySchemas(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as SchemaNode;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member[UNDOCUMENTED] === true) delete schema.properties?.[name];
  }
  for (const child of Object.values(node)) simplifySchemas(child);
  if (typeof schema.pattern !== 'string' || !UNICODE_SYNTAX.test(schema.pattern)) return;
  const sentence = patternSentence(schema.pattern);
  delete schema.pattern;
  schema.description = [schema.description, sentence && `It ${sentence}.`]
    .filter(Boolean)
    .join('. ');
}
