/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { LineStream } from '../../core/line-stream.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type {
  AuditLogEntry,
  AuditLogLine,
  AuditLogPage,
  ExportAuditLogQuery,
  ListAuditLogQuery,
} from '../schema.ts';

/** AuditLog. */
export class AuditLogResource extends Resource {
  /**
   * List the audit log.
   *
   * Returns a page of changes in your organization, newest first: by your credentials, by our operators, and by background processes. An entry appears when it is linked into the hash chain, usually within a second of the change. Entries are never changed and never removed.
   *
   * Scope: `audit:read`.
   *
   * @see operation `listAuditLog`
   */
  list(query?: ListAuditLogQuery, options?: RequestOptions): Pager<AuditLogEntry, AuditLogPage> {
    return this.client.list({ method: 'GET', path: '/v1/audit_log', query, options });
  }

  /**
   * Export the audit log.
   *
   * Returns at most 10,000 entries as JSON lines, in the order of the hash chain. Each line has the text that its hash covers, so that you can verify the chain yourself, as `examples/verify-audit-log.ts` does. The header `Audit-Log-Last-Sequence` has the sequence of the last line. If there are more entries, the header `Link` with `rel="next"` has the URL of the next ones.
   *
   * Scope: `audit:read`.
   *
   * @see operation `exportAuditLog`
   */
  export(query?: ExportAuditLogQuery, options?: RequestOptions): LineStream<AuditLogLine> {
    return this.client.lines(
      { method: 'GET', path: '/v1/audit_log.jsonl', query, options },
      'sequence',
    );
  }
}
