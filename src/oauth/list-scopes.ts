import { Type } from 'typebox';
import { permissions } from '../iam/permissions.ts';
import { defineRoute } from '../iam/route.ts';
import type { OAuthServices } from './oauth-services.ts';

/** The permission catalogue as OAuth scopes (seed section 1, 2: the names are the same). */
export const listScopesRoute = ({ brand }: OAuthServices) =>
  defineRoute({
    method: 'GET',
    path: '/oauth/scopes',
    operationId: 'list-oauth-scopes',
    section: 'OAuth clients',
    summary: 'List the scopes that a client can request',
    access: 'authenticated',
    result: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Value for `scopes` of a client' }),
        name: Type.String(),
        category: Type.String(),
        scopes: Type.Array(Type.String(), {
          description: 'Kinds of resources that the scope acts upon',
        }),
      }),
    ),
    handler() {
      const scopes = permissions.map(({ slug, name, category, scope }) => ({
        id: slug,
        name,
        category,
        scopes: [`com.${brand}.api.${scope}`],
      }));
      return Promise.resolve({ result: scopes });
    },
  });
