import assert from 'node:assert/strict';
import canonicalize from 'canonicalize';
import type { AuditRow } from '../../src/iam/audit/audit-chain.ts';
import { etagOf } from '../../src/tags/tag-set/etag.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import type { Answer, CallOptions, Json, TestServer } from '../support/server.ts';
import type { Tags } from './tagging.ts';

/** The ETag of a set of tags. */
export const etag = (tags: Tags): string => etagOf(canonicalize(tags) ?? '{}');

/** Requests for many writes to one server, and what they leave behind, as the tests see it. */
export interface BulkCalls {
  post(body: unknown, options?: CallOptions): Promise<Answer>;
  /** Does operations and demands that there is a result for each. */
  run(operations: unknown[], more?: Record<string, unknown>): Promise<Json>;
  /** The same; of each the code of its fault, 200 for none. */
  codes(operations: unknown[], options?: CallOptions): Promise<number[]>;
  /** Merges tags into what a filter finds, and demands that it works. */
  merge(
    filter: unknown,
    tags: Record<string, string | null>,
    more?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<Json>;
  /** Every row of the account's audit log. */
  auditRows(): Promise<AuditRow[]>;
  /** How many changes of tags have been made. */
  changeCount(): Promise<number>;
}

export function createBulkCalls(server: TestServer): BulkCalls {
  const { database } = server.app;
  const post: BulkCalls['post'] = (body, options = {}) =>
    server.call('POST', `${server.account}/tags/bulk`, { body, ...options });
  return {
    post,
    async run(operations, more = {}) {
      const answer = await post({ operations, ...more });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json.result_info, { count: operations.length });
      assert.equal(answer.json.result.results.length, operations.length);
      return answer.json.result;
    },
    async codes(operations, options) {
      const answer = await post({ operations }, options);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.result.results.map(({ success, errors }: Json): unknown => {
        assert.equal(success, errors === undefined);
        return success ? 200 : errors[0].code;
      });
    },
    async merge(filter, tags, more = {}, options = {}) {
      const answer = await post({ filter, tags, ...more }, options);
      assert.equal(answer.status, 200, answer.text);
      const { result, result_info: info } = answer.json;
      assert.equal(info.count, result.results.length);
      assert.equal(info.cursor, info.cursors?.after);
      return { ...result, cursor: info.cursor };
    },
    auditRows: () => readAuditRows(database, server.accountId),
    async changeCount() {
      const changes = database.read.selectFrom('tag_changes').select('position');
      return (await changes.execute()).length;
    },
  };
}
