import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { API_TOKEN_TOPIC } from '../credentials.ts';
import type { IamServices } from '../iam-services.ts';
import { defineRoute } from '../route.ts';
import { TokenParams } from './token-schemas.ts';
import { deleteToken } from './token-store.ts';

export const deleteTokenRoute = ({ database, tagging }: IamServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/tokens/:token_id',
    operationId: 'delete-account-token',
    section: 'API tokens',
    summary: 'Delete an API token',
    description: 'It stops working at once on this node and within one second on every other.',
    access: 'api-tokens.write',
    params: TokenParams,
    result: Type.Object({ id: Type.String() }),
    async handler({ params, request }) {
      await database.transaction(async (tx, announce) => {
        const digest = await deleteToken(tx, params.account_id, params.token_id);
        if (digest === undefined) throw notFound(request.path);
        const resource = {
          accountId: params.account_id,
          type: 'api_token',
          id: params.token_id,
        } as const;
        await tagging.deleted(tx, resource);
        announce({ topic: API_TOKEN_TOPIC, key: digest });
      });
      return { result: { id: params.token_id } };
    },
  });
