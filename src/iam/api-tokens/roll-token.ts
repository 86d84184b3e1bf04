import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { createSecret, digestSecret } from '../../lib/secrets.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { iamBodyFaults, iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { checkWithinCreator } from './check-within-creator.ts';
import { type TokenOwnership, tokenChange } from './token-ownership.ts';
import { lockToken, replaceTokenDigest } from './token-store.ts';

export const rollTokenRoute = ({ clock, changes }: IamServices, ownership: TokenOwnership) =>
  defineRoute({
    method: 'PUT',
    path: `${ownership.path}/:token_id/value`,
    operationId: `roll-${ownership.kind}-token`,
    section: 'API tokens',
    summary: 'Roll an API token',
    description:
      'Replaces the value of the token and nothing else. The old value stops working within one second on every node. The client must have all permissions of the token, because it receives the new value.',
    access: ownership.write,
    params: ownership.tokenParams,
    // The public clients send an empty object.
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    bodyFaults: iamBodyFaults,
    result: Type.String({ description: 'The new value. Shown only once.' }),
    errors: [iamErrors.exceedsCreator],
    async handler({ principal, params, request }) {
      const owner = ownership.ownerOf(principal, params);
      const value = createSecret(ownership.prefix);
      return changes.make(
        { principal, request },
        async ({ tx, announce, audit, recheckAccess }) => {
          const locked = await lockToken(tx, owner, params.token_id);
          if (locked === undefined) throw notFound(request.path);
          await recheckAccess();
          const { token, digest: oldDigest } = locked;
          checkWithinCreator(principal, token);
          const digest = digestSecret(value);
          await replaceTokenDigest(tx, token.id, digest, clock.now());
          announce(tokenAnnouncement(oldDigest));
          announce(tokenAnnouncement(digest));
          audit(tokenChange(token, 'roll', 'Rolled an API token'));
          return { result: value };
        },
      );
    },
  });
