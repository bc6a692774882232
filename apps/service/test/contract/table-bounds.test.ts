/**
 * Contract §7: one organization must not fill a table that others use. The api may insert into the tables of this list
 * only, and each has a bound that partners read in docs/guides/limits.md. A new table fails the test until it has one.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { quotas, type QuotaName } from '../../src/kernel/quota.ts';
import { openTestService, type TestService } from '../test-service.ts';

type Bound =
  | { readonly quota: QuotaName }
  /** How a line of the guide begins. */
  | { readonly limit: string }
  /** Its rows belong to a row of that table, and are as bounded. */
  | { readonly partOf: string }
  /** One row for each organization: its primary key has no other column. */
  | 'once'
  /** Requests per minute bound how fast it grows, and nothing else: it is the catalog of the partner, and its history. */
  | 'requests';

const bounds: Readonly<Record<string, Bound>> = {
  api_keys: { quota: 'api_keys' },
  artist_profiles: { partOf: 'artists' },
  artists: { quota: 'artists' },
  assets: { quota: 'stored_bytes' },
  audit: 'requests',
  credentials: { partOf: 'api_keys' },
  deliveries: 'requests',
  delivery_job_items: { partOf: 'delivery_jobs' },
  delivery_jobs: { quota: 'delivery_jobs_running' },
  delivery_stores: { partOf: 'deliveries' },
  delivery_timeline: { partOf: 'deliveries' },
  deprecated_uses: { partOf: 'api_keys' },
  events: { limit: 'events and their attempts are kept' },
  fanout_cursors: 'once',
  idempotency_keys: { limit: 'an answer is kept for its `Idempotency-Key`' },
  inbox_messages: { limit: 'messages in the inbox of the sandbox' },
  inbox_tokens: { partOf: 'inboxes' },
  inboxes: 'once',
  isrc_reservations: { partOf: 'tracks' },
  isrc_years: { partOf: 'isrc_reservations' },
  labels: { quota: 'labels' },
  oauth_client_secrets: { limit: 'OAuth clients' },
  oauth_clients: { limit: 'OAuth clients' },
  oauth_credentials: { partOf: 'oauth_client_secrets' },
  oauth_tokens: { limit: 'an access token works' },
  payout_holds: { partOf: 'payouts' },
  payout_methods: { limit: 'payout methods that are not removed' },
  payout_screenings: { partOf: 'payouts' },
  payout_settings: 'once',
  payout_transitions: { partOf: 'payouts' },
  payouts: { quota: 'open_payouts' },
  release_artists: { partOf: 'releases' },
  release_isrcs: { partOf: 'releases' },
  release_revisions: 'requests',
  release_snapshots: { partOf: 'release_revisions' },
  releases: 'requests',
  requests: { limit: 'requests in `GET /v1/requests`' },
  rights_grants: { partOf: 'releases' },
  sandbox_clocks: 'once',
  sandbox_closings: 'once',
  sandbox_payout_steps: { partOf: 'payouts' },
  sandbox_reports: { limit: 'reports of stores that you ask for in the sandbox' },
  sandbox_resets: 'once',
  sandbox_scenarios: { limit: 'scenarios of the sandbox' },
  store_messages: { partOf: 'deliveries' },
  submissions: 'requests',
  tax_profiles: 'once',
  timers: 'requests',
  tracks: 'requests',
  upc_reservations: { partOf: 'releases' },
  webhook_deliveries: { partOf: 'events' },
  webhook_dispatchers: { partOf: 'webhooks' },
  webhooks: { limit: 'webhooks' },
};

const guide = readFileSync(new URL('../../../../docs/guides/limits.md', import.meta.url), 'utf8');
const hasLine = (begin: string): boolean =>
  guide.split('\n').some((line) => line.startsWith(`| ${begin} `));

describe('contract §7: what an organization may have at once', () => {
  let service: TestService;
  before(async () => void (service = await openTestService()));
  after(() => service.close());

  test('every table of organizations into which the api inserts has a bound', async () => {
    const rows = await service.query(
      `select c.relname as name,
              array(select a.attname::text from pg_index i
                      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
                     where i.indrelid = c.oid and i.indisprimary) as columns
         from pg_class c
         join pg_attribute org on org.attrelid = c.oid and org.attname = 'org_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and has_any_column_privilege('tonearm_app', c.oid, 'insert')
        order by c.relname`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(bounds),
    );
    for (const { name, columns } of rows) {
      if (bounds[name] === 'once') assert.deepEqual(columns, ['org_id'], name);
    }
  });

  test('each bound is one of the guide, or that of another table', () => {
    for (const [table, bound] of Object.entries(bounds)) {
      if (typeof bound === 'string') continue;
      if ('partOf' in bound) assert.ok(Object.hasOwn(bounds, bound.partOf), table);
      else if ('limit' in bound) assert.ok(hasLine(bound.limit), `${table}: ${bound.limit}`);
    }
  });

  test('the guide names every quota with the requests that it refuses', () => {
    for (const name of Object.keys(quotas)) assert.ok(hasLine(`\`${name}\``), name);
  });
});
