/** Reads PostgreSQL's catalog and checks what the architecture promises for every table (§2, §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { databaseUrl, draft, openTestService, type TestService } from './test-service.ts';

/** Tables without row-level security, with the privileges of each role that may use them. */
const directoryTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  credentials: {
    tonearm_app: 'INSERT',
    tonearm_directory: 'SELECT',
    tonearm_operator: 'INSERT',
  },
  upc_owners: { tonearm_operator: 'INSERT,SELECT' },
  outbox: { tonearm_relay: 'DELETE,SELECT' }, // every role that writes: INSERT by column
  timers: {
    tonearm_app: 'INSERT,SELECT',
    tonearm_operator: 'INSERT,SELECT',
    tonearm_worker: 'DELETE,INSERT,SELECT',
  },
  fx_rates: {
    tonearm_app: 'SELECT',
    tonearm_operator: 'INSERT,SELECT,UPDATE',
    tonearm_worker: 'SELECT',
  },
  fee_rules: { tonearm_operator: 'INSERT,SELECT', tonearm_worker: 'SELECT' }, // and UPDATE by column
  fx_rate_sets: { tonearm_operator: 'INSERT,SELECT', tonearm_worker: 'SELECT' },
  inbox_tokens: { tonearm_app: 'INSERT', tonearm_directory: 'SELECT' },
  isrc_owners: { tonearm_operator: 'INSERT,SELECT' },
  oauth_credentials: {
    tonearm_app: 'INSERT',
    tonearm_directory: 'SELECT',
    tonearm_operator: 'INSERT',
  },
  oauth_tokens: { tonearm_app: 'INSERT', tonearm_directory: 'SELECT' },
  paused_store_deliveries: { tonearm_worker: 'DELETE,INSERT,SELECT' },
  answer_wakes: { tonearm_worker: 'DELETE,INSERT,SELECT' },
  store_answers: { tonearm_worker: 'DELETE,INSERT,SELECT' },
  // and UPDATE by column of the worker
  store_connections: { tonearm_operator: 'INSERT,SELECT,UPDATE', tonearm_worker: 'SELECT' },
  store_holdings: { tonearm_operator: 'SELECT', tonearm_worker: 'SELECT' },
  rights_reviews: {
    tonearm_operator: 'SELECT',
    tonearm_worker: 'DELETE,INSERT,SELECT,UPDATE',
  },
  store_messages: {
    tonearm_app: 'INSERT',
    tonearm_operator: 'INSERT',
    tonearm_worker: 'INSERT,SELECT',
  },
  store_polls: { tonearm_operator: 'SELECT', tonearm_worker: 'INSERT,SELECT,UPDATE' },
  unusable_acknowledgements: {
    tonearm_operator: 'DELETE,SELECT',
    tonearm_worker: 'INSERT,SELECT,UPDATE',
  },
  environment: {
    tonearm_app: 'SELECT',
    tonearm_directory: 'SELECT',
    tonearm_operator: 'SELECT',
    tonearm_relay: 'SELECT',
    tonearm_worker: 'SELECT',
  },
  partitioned_tables: { tonearm_worker: 'SELECT' },
  stores: {
    tonearm_app: 'SELECT',
    tonearm_operator: 'INSERT,SELECT,UPDATE',
    tonearm_worker: 'SELECT',
  },
  schema_migrations: {},
  withholding_rules: { tonearm_operator: 'INSERT,SELECT', tonearm_worker: 'SELECT' }, // and UPDATE by column
  fanout_cursors: {
    tonearm_app: 'INSERT,SELECT',
    tonearm_relay: 'SELECT', // and UPDATE by column, as the worker
    tonearm_worker: 'SELECT',
  },
  webhook_dispatchers: {
    tonearm_app: 'INSERT,SELECT', // and UPDATE by column, as the worker
    tonearm_worker: 'DELETE,INSERT,SELECT',
  },
};
const roles = [
  'tonearm_app',
  'tonearm_directory',
  'tonearm_operator',
  'tonearm_relay',
  'tonearm_worker',
];

/** Tables that tonearm_app has no privilege on. */
const unseenByApp = new Set([
  'changelog_announcements',
  'ledger_verifications',
  'payout_attempts',
  'release_isrcs',
  'remittance_reports',
  'remittances',
  'report_files',
  'report_parts',
  'report_scopes',
  'report_shares',
  'report_totals',
  'royalty_runs',
  'run_buckets',
  'run_market_totals',
  'run_reversals',
  'run_statements',
  'run_totals',
  'run_track_totals',
  'sandbox_scenario_uses',
  'sequence_heads',
  'store_reports',
  'unverified_deliveries',
]);

/** The relay reads and numbers their rows for all organizations. */
const sequencedTables = new Set(['audit', 'events', 'sequence_heads']);

/** Upkeep deletes their rows for all organizations, 30 days after the job was completed. */
const removedTables = new Set(['delivery_job_items', 'delivery_jobs']);

/** The owner posts the statements of a run, and lists the organizations for `ledger verify`. */
const postedTables = new Set(['ledger_entries', 'ledger_transactions']);

/**
 * The owner finds the payees of a run, their open statements, what a published one was made from, which months stores
 * have reported, which batches wait, and how many documents could not be drawn.
 */
const listedTables = new Set([
  'organizations',
  'remittance_reports',
  'remittances',
  'report_parts',
  'report_totals',
  'royalty_runs',
  'run_statements',
  'statements',
  'store_batches',
  'store_reports',
  'tax_profiles',
]);

type Table = {
  readonly name: string;
  readonly is_partition: boolean;
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly owner: string;
  readonly key: string[] | null;
  readonly policies: string[];
};

describe('the schema', () => {
  let service: TestService;
  let tables: Table[];
  before(async () => {
    service = await openTestService({ hasRealTime: true });
    tables = await service.query(`
      select c.relname as name, c.relispartition as is_partition, c.relrowsecurity as enabled,
             c.relforcerowsecurity as forced, pg_get_userbyid(c.relowner) as owner,
             (select array_agg(a.attname::text order by k.n)
                from pg_index i, unnest(i.indkey) with ordinality k(attnum, n), pg_attribute a
               where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key,
             array(select concat(case when p.polroles = '{0}' then 'public' else p.polroles[1]::regrole::text end, ': ',
                            pg_get_expr(p.polqual, p.polrelid), ' / ', pg_get_expr(p.polwithcheck, p.polrelid))
                     from pg_policy p where p.polrelid = c.oid order by p.polname) as policies
        from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
  });
  after(() => service.close());

  /** Partitions follow the rules of their parent. */
  const nameOf = (table: string) => table.replace(/_(\d{6,8}|default)$/, '');
  const tenantTables = () =>
    tables.filter(({ name }) => !Object.hasOwn(directoryTables, nameOf(name)));

  test('there is something to check', () => {
    const names = tenantTables()
      .filter(({ is_partition }) => !is_partition)
      .map(({ name }) => name);
    assert.deepEqual(names.toSorted(), [
      'adjustments',
      'api_keys',
      'artist_profiles',
      'artists',
      'asset_usage',
      'assets',
      'audit',
      'catalog_usage',
      'changelog_announcements',
      'deliveries',
      'delivery_job_items',
      'delivery_jobs',
      'delivery_stores',
      'delivery_timeline',
      'deprecated_uses',
      'earning_holds',
      'events',
      'idempotency_keys',
      'inbox_messages',
      'inboxes',
      'isrc_registrants',
      'isrc_reservations',
      'isrc_years',
      'labels',
      'ledger_entries',
      'ledger_transactions',
      'ledger_verifications',
      'legal_holds',
      'oauth_client_secrets',
      'oauth_clients',
      'organizations',
      'payout_attempts',
      'payout_holds',
      'payout_methods',
      'payout_screenings',
      'payout_settings',
      'payout_transitions',
      'payouts',
      'pending_nets',
      'release_artists',
      'release_isrcs',
      'release_revisions',
      'release_snapshots',
      'releases',
      'remittance_reports',
      'remittances',
      'report_files',
      'report_parts',
      'report_scopes',
      'report_shares',
      'report_totals',
      'requests',
      'rights_grants',
      'royalty_label_totals',
      'royalty_market_totals',
      'royalty_runs',
      'royalty_sections',
      'royalty_totals',
      'royalty_track_totals',
      'run_buckets',
      'run_market_totals',
      'run_reversals',
      'run_statements',
      'run_totals',
      'run_track_totals',
      'sandbox_clocks',
      'sandbox_closings',
      'sandbox_payout_steps',
      'sandbox_reports',
      'sandbox_resets',
      'sandbox_scenario_uses',
      'sandbox_scenarios',
      'sequence_heads',
      'statement_artifacts',
      'statements',
      'store_batches',
      'store_reports',
      'submissions',
      'tax_profiles',
      'tracks',
      'unverified_deliveries',
      'upc_blocks',
      'upc_reservations',
      'webhook_attempts',
      'webhook_deliveries',
      'webhooks',
    ]);
    assert.ok(tables.some(({ is_partition }) => is_partition));
  });

  test('every tenant table has row-level security, forced on its owner too', () => {
    for (const { name, enabled, forced } of tenantTables()) {
      assert.ok(enabled && forced, name);
    }
  });

  test('every tenant table returns and accepts only rows of the organization of the transaction', () => {
    for (const { name, is_partition, policies } of tenantTables()) {
      const own = 'public: (org_id = app_org_id()) / (org_id = app_org_id())';
      const relayed = sequencedTables.has(name) ? ['tonearm_relay: true / '] : [];
      const posted = postedTables.has(name) ? ['postgres: true / ', 'postgres:  / true'] : [];
      const listed = listedTables.has(name) ? ['postgres: true / '] : [];
      const expected = is_partition ? [] : [own, ...relayed, ...posted, ...listed];
      const [removal, ...others] = policies.toReversed();
      if (removedTables.has(name)) {
        assert.match(
          removal ?? '',
          /^tonearm_worker: \(\(app_org_id\(\) IS NULL\) AND .* \/ false$/s,
        );
        assert.deepEqual(others, expected, name);
      } else assert.deepEqual(policies, expected, name);
    }
  });

  test('org_id comes first in every key and every index', async () => {
    for (const { name, key } of tenantTables()) assert.equal(key?.[0], 'org_id', name);
    const indexes = await service.query(
      `
      select c.relname as name, a.attname as first_column
        from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        join pg_class t on t.oid = i.indrelid
        join pg_am on pg_am.oid = c.relam
       where c.relnamespace = 'public'::regnamespace
         and amname <> 'brin' -- on stored_at, for retention; not used to find rows of an organization
         and regexp_replace(t.relname, '_([0-9]{6,8}|default)$', '') <> all ($1)`,
      [Object.keys(directoryTables)],
    );
    assert.ok(indexes.length > 10);
    for (const { name, first_column } of indexes) assert.equal(first_column, 'org_id', name);
  });

  test('no foreign key crosses organizations', async () => {
    const keys = await service.query(`
      select conrelid::regclass::text as name, a.attname as first_column
        from pg_constraint join pg_attribute a on a.attrelid = conrelid and a.attnum = conkey[1]
       where contype = 'f' and connamespace = 'public'::regnamespace`);
    assert.ok(keys.length > 0);
    for (const { name, first_column } of keys) assert.equal(first_column, 'org_id', name);
  });

  test('the application roles own nothing, bypass nothing and are members of nothing', async () => {
    for (const { name, owner } of tables) assert.ok(!roles.includes(owner), name);
    const found = await service.query(
      `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as is_powerful,
              exists (select from pg_auth_members m where m.member = r.oid) as is_member
         from pg_roles r where rolname = any($1)`,
      [roles],
    );
    assert.equal(found.length, roles.length);
    for (const role of found) assert.ok(!role.is_powerful && !role.is_member, role.rolname);
  });

  test('directory tables are granted to their listed roles only', async () => {
    const grants = await service.query(
      `
      select table_name, grantee, string_agg(privilege_type, ',' order by privilege_type) as privileges
        from information_schema.role_table_grants
       where table_schema = 'public' and table_name = any($1) and grantee <> 'postgres'
       group by 1, 2`,
      [Object.keys(directoryTables)],
    );
    const found: Record<string, Record<string, string>> = {};
    for (const name of Object.keys(directoryTables)) found[name] = {};
    for (const { table_name, grantee, privileges } of grants) {
      found[table_name] = { ...found[table_name], [grantee]: privileges };
    }
    assert.deepEqual(found, directoryTables);
  });

  test('append-only tables are granted SELECT and INSERT only, and partitions are granted to no role', async () => {
    const grants = await service.query(
      `
      select table_name, privilege_type from information_schema.role_table_grants
       where table_schema = 'public' and grantee = any($1)
         and table_name ~ '^(adjustments|audit|changelog_announcements|delivery_timeline|events|idempotency_keys|ledger_|payout_attempts|payout_screenings|payout_transitions|release_revisions|release_snapshots|requests|webhook_attempts)'`,
      [roles],
    );
    assert.ok(grants.length > 0);
    for (const { table_name, privilege_type } of grants) {
      assert.ok(
        ['SELECT', 'INSERT'].includes(privilege_type),
        `${privilege_type} on ${table_name}`,
      );
      assert.ok(!/(\d|_default)$/.test(table_name), `${table_name} is a partition`);
    }
  });

  test('the relay reads ids and sequences of events and numbers them, and cannot read type and data', async () => {
    const partner = await service.givenOrganization();
    await partner.call('POST', '/v1/releases', draft());
    const ask = async (text: string) => {
      const client = new pg.Client(databaseUrl(service.database, 'tonearm_relay'));
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    };
    assert.ok((await ask('select org_id, id, sequence from events')).length > 0);
    for (const columns of ['data', 'type', '*', 'created_at']) {
      const query = `select ${columns} from events`;
      await assert.rejects(ask(query), /permission denied for table events/, query);
    }
    await service.sequenceEvents();
    assert.deepEqual(await ask('select id from events where sequence is null'), []);
  });

  test('tonearm_app without an organization context, or in that of another, reads and writes no row', async () => {
    const one = await service.givenOrganization();
    await service.givenOrganization();
    const [{ org_id: mine }] = await service.query(
      'select org_id from api_keys order by created_at limit 1',
    );
    const client = new pg.Client(databaseUrl(service.database, 'tonearm_app'));
    await client.connect();
    const names = tenantTables()
      .filter(({ is_partition }) => !is_partition)
      .map(({ name }) => name);
    for (const name of names) {
      const count = await client.query(`select count(*)::int as n from ${name}`).then(
        ({ rows }) => rows[0].n,
        ({ message }) => message,
      );
      const expected = unseenByApp.has(name) ? `permission denied for table ${name}` : 0;
      assert.equal(count, expected, `${name} without a context`);
    }
    await client.query(`begin; select set_config('app.org_id', '${mine}', true)`);
    const { rows } = await client.query('select distinct org_id from api_keys');
    assert.deepEqual(rows, [{ org_id: mine }], 'only one organization in its context');
    const foreign = `insert into upc_reservations values ('018f0000-0000-7000-8000-000000000000', 1)`;
    await assert.rejects(client.query(foreign), /row-level security/);
    await client.query('rollback');
    await assert.rejects(client.query('select * from credentials'), /permission denied/);
    await client.end();
    assert.ok(one.orgId);
  });

  test('partitions exist for today, yesterday and the coming days', async () => {
    const [{ missing }] = await service.query(`
      select count(*)::int as missing
        from generate_series(current_date - 1, current_date + 13, '1 day') day
       where to_regclass('idempotency_keys_' || to_char(day, 'YYYYMMDD')) is null`);
    assert.equal(missing, 0);
    // The template may have been made a moment before midnight.
    await service.query('select make_partitions(now())');
    const [{ made }] = await service.query('select make_partitions(now()) as made');
    assert.equal(made, 0, 'a second call creates none');
  });
});
