import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../http/errors.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { iamBodyFaults, tokenErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import type { Principal } from '../principal.ts';
import { defineRoute } from '../route.ts';
import { checkWithinCreator } from './check-within-creator.ts';
import { parseTokenInput } from './parse-token-input.ts';
import { type TokenOwnership, tokenChange } from './token-ownership.ts';
import { presentToken } from './token-presenter.ts';
import { TOKEN_RECORD, TokenSchema, UpdateTokenSchema } from './token-schemas.ts';
import { type ApiToken, lockToken, updateToken } from './token-store.ts';

export const updateTokenRoute = (
  { clock, brand, changes, tagging }: IamServices,
  ownership: TokenOwnership,
) =>
  defineRoute({
    method: 'PUT',
    path: `${ownership.path}/:token_id`,
    operationId: `update-${ownership.kind}-token`,
    section: 'API tokens',
    summary: 'Replace the definition of an API token',
    description:
      'Omitted members are removed, except `status`. The value does not change. The client must have all permissions that the token has afterwards, unless the token is disabled.',
    access: ownership.write,
    params: ownership.tokenParams,
    body: UpdateTokenSchema,
    bodyFaults: iamBodyFaults,
    record: TOKEN_RECORD,
    result: TokenSchema,
    errors: tokenErrors,
    async handler({ principal, params, body, request, checkRecord }) {
      const nowMs = clock.now();
      const owner = ownership.ownerOf(principal, params);
      return changes.make(
        { principal, request, body },
        async ({ tx, announce, audit, recheckAccess }) => {
          const locked = await lockToken(tx, owner, params.token_id);
          if (locked === undefined) throw notFound(request.path);
          await recheckAccess();
          const { token: stored, digest } = locked;
          checkRecord(presentToken(stored, brand, nowMs));
          const definition = parseTokenInput(body, owner, nowMs, stored);
          // "expired" follows from the time: it is what a reader sends back unchanged.
          const status =
            body.status === undefined || body.status === 'expired' ? stored.status : body.status;
          const token = { ...stored, ...definition, status, modifiedAtMs: nowMs };
          checkWithinEditor(principal, stored, token);
          await updateToken(tx, token);
          if ('accountId' in owner && token.name !== stored.name) {
            const resource = {
              accountId: owner.accountId,
              type: 'api_token',
              id: token.id,
            } as const;
            await tagging.renamed(tx, resource, token.name);
          }
          announce(tokenAnnouncement(digest));
          audit(tokenChange(token, 'update', describeUpdate(stored, token)));
          return { result: presentToken(token, brand, nowMs) };
        },
      );
    },
  });

/** Whoever may edit tokens may always disable one; with anything else they answer for what it holds. */
function checkWithinEditor(editor: Principal, stored: ApiToken, token: ApiToken): void {
  const isOnlyDisabled = token.status === 'disabled' && isSameDefinition(stored, token);
  if (!isOnlyDisabled) checkWithinCreator(editor, token);
}

function isSameDefinition(a: ApiToken, b: ApiToken): boolean {
  const definitionOf = ({ policies, requestIp, notBeforeMs, expiresAtMs }: ApiToken) => ({
    // The ids are made anew at each edit.
    policies: policies.map(({ effect, permissions, resources }) => ({
      effect,
      permissions,
      resources,
    })),
    requestIp,
    notBeforeMs,
    expiresAtMs,
  });
  return isDeepStrictEqual(definitionOf(a), definitionOf(b));
}

function describeUpdate(before: ApiToken, after: ApiToken): string {
  if (before.status === after.status) return 'Changed an API token';
  return after.status === 'disabled' ? 'Disabled an API token' : 'Enabled an API token';
}
