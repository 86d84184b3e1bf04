import { type TSchema, Type } from 'typebox';
import type { ErrorEntry } from './errors.ts';

/** Extra messages beside a result, such as "This API Token is valid and active". */
export interface Message {
  code: number;
  message: string;
}

/** What list answers say about the page. */
export interface ResultInfo {
  page?: number;
  per_page?: number;
  count?: number;
  total_count?: number;
  total_pages?: number;
  cursor?: string;
  cursors?: { after: string };
  /** What a route declares besides. */
  [further: string]: unknown;
}

export function successEnvelope(
  result: unknown,
  resultInfo?: ResultInfo,
  messages: Message[] = [],
): Record<string, unknown> {
  const envelope: Record<string, unknown> = { success: true, errors: [], messages, result };
  if (resultInfo !== undefined) envelope.result_info = resultInfo;
  return envelope;
}

/** @param result only of a failed precondition: the record as it is */
export function failureEnvelope(
  errors: ErrorEntry[],
  result: object | null = null,
): Record<string, unknown> {
  return { success: false, errors, messages: [], result };
}

const MessageSchema = Type.Object({ code: Type.Integer(), message: Type.String() });

export const ErrorEntrySchema = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  documentation_url: Type.Optional(Type.String()),
  source: Type.Optional(Type.Object({ pointer: Type.String() })),
});

const pageInfo = {
  page: Type.Integer(),
  per_page: Type.Integer(),
  count: Type.Integer(),
  total_count: Type.Integer(),
  total_pages: Type.Integer(),
};

const cursorInfo = {
  count: Type.Integer(),
  cursor: Type.Optional(Type.String()),
  cursors: Type.Optional(Type.Object({ after: Type.String() })),
};

const { total_count: _count, total_pages: _pages, ...uncountedPageInfo } = pageInfo;

const PAGE_INFO = { page: pageInfo, uncounted: uncountedPageInfo, cursor: cursorInfo };

/**
 * Paging of a list, as clients read it. `none`: not a list, or a complete list. `uncounted`: numbered pages without a
 * total, for lists that are too long to count.
 */
export type Paging = 'none' | keyof typeof PAGE_INFO;

/**
 * Returns the schema of a successful response. Members that it does not declare are not sent.
 * @param further members of `result_info` besides those of the page
 */
export function successSchema(
  result: TSchema,
  paging: Paging,
  further: Readonly<Record<string, TSchema>> = {},
): TSchema {
  return Type.Object({
    success: Type.Literal(true),
    errors: Type.Array(ErrorEntrySchema),
    messages: Type.Array(MessageSchema),
    result,
    ...(paging === 'none'
      ? {}
      : { result_info: Type.Object({ ...PAGE_INFO[paging], ...further }) }),
  });
}

export const FailureSchema = Type.Object({
  success: Type.Literal(false),
  errors: Type.Array(ErrorEntrySchema),
  messages: Type.Array(MessageSchema),
  result: Type.Null(),
});

/** The failure of `If-Match`, which contains the record. */
export const FailedPreconditionSchema = {
  ...FailureSchema,
  properties: {
    ...FailureSchema.properties,
    result: {
      anyOf: [{ type: 'object' as const }, Type.Null()],
      description: 'The current record, if the client may read it',
    },
  },
};
