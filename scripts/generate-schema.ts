import openapiTS, { astToString } from 'openapi-typescript';

/** As much of an OpenAPI document as is looked at here. */
export interface OpenApi {
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
}

const NOTE = '// Made from the code by `npm run generate`: change the code, not this file.\n\n';

const PREFIX = '/client/v4';

/**
 * The types of the management API, for `openapi-fetch`. Failures are left out: all have the shape that
 * `api/failure.ts` reads.
 */
export async function schemaTypes(document: OpenApi): Promise<string> {
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .map(([path, item]) => [path.slice(PREFIX.length), withoutFailures(item)]);
  const described = { ...document, paths: Object.fromEntries(paths) as object };
  return NOTE + astToString(await openapiTS(structuredClone(described) as never));
}

function withoutFailures(item: OpenApi['paths'][string]) {
  const operations = Object.entries(item).map(([method, operation]) => {
    const responses = Object.entries(operation.responses ?? {}).filter(([status]) =>
      status.startsWith('2'),
    );
    return [method, { ...operation, responses: Object.fromEntries(responses) }];
  });
  return Object.fromEntries(operations) as OpenApi['paths'][string];
}
