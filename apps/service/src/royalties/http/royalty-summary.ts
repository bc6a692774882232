import { type Id, toWire } from '../../kernel/ids.ts';
import { showIsrc } from '../../kernel/isrc.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import { parseGroupBy, refuseSummary, type Summary } from '../domain/summary.ts';
import { refusePeriod, usageMonthsIn } from '../domain/usage-months.ts';
import { summarizeRoyalties } from '../store/summaries.ts';
import { royaltyExamples } from './royalty-examples.ts';
import { SummaryPage, SummaryQuery } from './royalty-schemas.ts';

type Deps = { readonly db: Database; readonly keyring: Keyring };

export function royaltySummaryRoutes(server: Server, { db, keyring }: Deps): void {
  read(
    server,
    db,
    {
      id: 'summarizeRoyalties',
      tag: 'Royalties',
      summary: 'Summarize royalties',
      description:
        'Returns sums of the royalties of your published statements, in groups: by store, by track, by month and so on. Each row is one group in one currency; amounts in different currencies are never added. The rows of all pages add up to the statements, exactly. They are sorted by the group. Adjustments are not royalties: `GET /v1/adjustments` lists them.',
      method: 'GET',
      path: '/v1/royalties/summary',
      scope: 'royalties:read',
      query: SummaryQuery,
      answers: { 200: SummaryPage },
      examples: royaltyExamples.summarizeRoyalties,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const dimensions = parseGroupBy(query.group_by ?? 'store');
      enforce(refuseSummary({ dimensions, filters: query }));
      enforce(refusePeriod(query));
      const list = openList(keyring, orgId, 'royalty_summary', query);
      const filters = {
        // Patterns of the query.
        statementId: query.statement_id as Id<'stm'> | undefined,
        releaseId: query.release_id as Id<'rel'> | undefined,
        months: usageMonthsIn(query),
        storeId: query.store_id,
        territory: query.territory,
      };
      const page = await ask((tenant) =>
        summarizeRoyalties(tenant, orgId, dimensions, filters, list.page),
      );
      return list.answer(page, presentSummary);
    },
  );
}

function presentKey(key: string, value: string): string | null {
  if (key === 'release_id') return toWire('rel', value);
  if (key === 'track_id') return toWire('trk', value);
  if (key === 'isrc') return showIsrc(value);
  return key === 'label' && value === '' ? null : value;
}

const presentSummary = (summary: Summary) => ({
  ...Object.fromEntries(
    Object.entries(summary.keys).map(([key, value]) => [key, presentKey(key, value)]),
  ),
  play_count: summary.playCount,
  gross_amount: summary.grossAmount,
  fee_amount: summary.feeAmount,
  source_tax_amount: summary.sourceTaxAmount,
  payee_tax_amount: summary.payeeTaxAmount,
  tax_amount: summary.taxAmount,
  net_amount: summary.netAmount,
  currency: summary.currency,
});
