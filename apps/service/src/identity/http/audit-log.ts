/** Reading and exporting the audit log (contract §4, §5). */

import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { Places } from '../../platform/http/places.ts';
import { read } from '../../platform/http/read.ts';
import { streamLines } from '../../platform/http/stream-lines.ts';
import { presentAuditLogEntry, presentAuditLogLink } from '../domain/audit-log-entry.ts';
import { findChainEnds, listAuditLog, listChain } from '../store/audit-log.ts';
import {
  AuditLogExportQuery,
  AuditLogLine,
  AuditLogPage,
  AuditLogQuery,
} from './audit-log-schemas.ts';
import { auditLogExamples } from './log-examples.ts';

export type AuditLogDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly openExports: Places;
};

const common = { tag: 'Audit log', method: 'GET', scope: 'audit:read' } as const;
const exportPath = '/v1/audit_log.jsonl';

/** One request; the next continues with `after`. */
const entriesPerExportMax = 10_000;
/** Read from the database at once; the next are read when the caller has taken these. */
const entriesAtOnce = 500;

export function auditLogRoutes(server: Server, deps: AuditLogDeps): void {
  listRoute(server, deps);
  exportRoute(server, deps);
}

function listRoute(server: Server, { db, keyring }: AuditLogDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'listAuditLog',
      summary: 'List the audit log',
      description:
        'Returns a page of changes in your organization, newest first: by your credentials, by our operators, and by background processes. An entry appears when it is linked into the hash chain, usually within a second of the change. Entries are never changed and never removed.',
      path: '/v1/audit_log',
      query: AuditLogQuery,
      answers: { 200: AuditLogPage },
      examples: auditLogExamples.listAuditLog,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'audit_log', query);
      const { actor, action, resource } = query;
      const since = parseTimestamp(query.since ?? '');
      const until = parseTimestamp(query.until ?? '');
      const filters = { actor, action, resource, since, until };
      const page = await ask((tenant) => listAuditLog(tenant, orgId, filters, list.page));
      return list.answer(page, presentAuditLogEntry);
    },
  );
}

function exportRoute(server: Server, { db, openExports }: AuditLogDeps): void {
  streamLines(
    server,
    openExports,
    {
      ...common,
      id: 'exportAuditLog',
      summary: 'Export the audit log',
      description:
        'Returns at most 10,000 entries as JSON lines, in the order of the hash chain. Each line has the text that its hash covers, so that you can verify the chain yourself, as `examples/verify-audit-log.ts` does. The header `Audit-Log-Last-Sequence` has the sequence of the last line. If there are more entries, the header `Link` with `rel="next"` has the URL of the next ones.',
      path: exportPath,
      query: AuditLogExportQuery,
      answers: { 200: AuditLogLine },
      mediaType: 'application/jsonl',
      examples: auditLogExamples.exportAuditLog,
      problems: ['quota_exceeded'],
    },
    async ({ caller: { orgId }, query: { after = 0 } }) => {
      const ends = await db.readOnce(orgId, (tenant) => findChainEnds(tenant, orgId, after));
      if (ends.hashAfter === undefined) throw unknownEntry(ends.last);
      const upTo = Math.min(ends.last, after + entriesPerExportMax);
      return {
        headers: {
          'audit-log-last-sequence': String(upTo),
          ...(upTo < ends.last && { link: `<${exportPath}?after=${upTo}>; rel="next"` }),
        },
        lines: exportLines(db, orgId, { sequence: after, hash: ends.hashAfter }, upTo),
      };
    },
  );
}

const unknownEntry = (last: number) => {
  const issue = `must be at most ${last}, the sequence of the last entry`;
  return new Problem('invalid_parameter', `after ${issue}.`, {
    details: [{ field: 'after', issue }],
  });
};

/** Linked entries do not change, so each batch may be read by itself; no connection is held while the caller reads. */
async function* exportLines(
  db: Database,
  orgId: OrgId,
  from: Parameters<typeof listChain>[2],
  upTo: number,
): AsyncGenerator<string> {
  let last = from;
  while (last.sequence < upTo) {
    const batchEnd = Math.min(upTo, last.sequence + entriesAtOnce);
    const start = last;
    const links = await db.readOnce(orgId, (tenant) => listChain(tenant, orgId, start, batchEnd));
    yield links.map((link) => `${JSON.stringify(presentAuditLogLink(link))}\n`).join('');
    const end = links.at(-1);
    // Without an entry the chain is broken: the export ends here, and its last sequence is missing.
    if (end === undefined) throw new Error(`${orgId} has no audit row ${last.sequence + 1}`);
    last = end;
  }
}
