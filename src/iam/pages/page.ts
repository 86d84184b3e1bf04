import type { OutgoingHttpHeaders } from 'node:http';
import { ApiError } from '../../http/errors.ts';
import type { OpenApiPath } from '../../http/openapi-operations.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import type { PageContent } from './layout.ts';

/** What pages work with. */
export type PageServices = IamServices;

/** A request for a page. */
export interface PageRequest {
  request: RequestFacts;
  query: URLSearchParams;
  /** What the form holds; empty for a page that is only looked at. */
  fields: URLSearchParams;
}

/** The answer: a page, or the way to another one. */
export type PageReply = ({ content: PageContent; status?: number } | { location: string }) & {
  headers?: OutgoingHttpHeaders;
};

/** Something at one address for people to look at, and to fill in. */
export interface Page {
  path: string;
  /** For the OpenAPI document, if a protocol defines the page. */
  operations?: OpenApiPath | undefined;
  /**
   * Whether what its form sends may end at another origin, such as that of an OAuth client. Browsers
   * hold every redirect after a form against `form-action` (CSP Level 3, section 6.4.2), so such a
   * page goes without it.
   */
  leadsElsewhere?: boolean;
  show?: (context: PageRequest) => Promise<PageReply>;
  /** Takes what the form sends. */
  submit?: (context: PageRequest) => Promise<PageReply>;
}

/** Sends the browser on, with a GET. */
export function goTo(location: string, cookies?: readonly string[]): PageReply {
  return { location, ...(cookies && { headers: { 'set-cookie': [...cookies] } }) };
}

/** What was wrong with a form, for the page that shows it again. */
export interface FormRefusal {
  status: number;
  /** Of the error. */
  code: number | undefined;
  message: string;
  headers: Record<string, string>;
}

/**
 * Turns the refusal of a form into what its page says.
 * @throws whatever is no refusal
 */
export function toFormRefusal(error: unknown): FormRefusal {
  if (!(error instanceof ApiError) || error.status === 500) throw error;
  const { status, message, headers, entries } = error;
  return { status, code: entries[0]?.code, message: `${message}.`, headers };
}
