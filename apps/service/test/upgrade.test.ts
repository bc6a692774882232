/**
 * The migration after those of this release, applied to a database with rows in it. The owner is not a superuser; the
 * rows are kept; and this release still runs on the schema of the next one.
 */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { migrationsFolder } from '../src/app/migrate.ts';
import { environments } from '../src/kernel/environment.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { databaseUrl, draft, dropTestDatabase, openTestService } from './test-service.ts';

/**
 * What a migration may do to tables in use: add a column with a default, fill it from existing rows of all
 * organizations, add an index. The owner is under row-level security too, so it is lifted for the update.
 */
const next = {
  name: '9000_next.sql',
  sha256: 'next',
  text: `
    alter table events add column origin text not null default 'api';
    alter table releases add column title_length integer not null default 0;
    alter table releases no force row level security;
    update releases set title_length = char_length(title);
    alter table releases force row level security;
    create index releases_by_title_length on releases (org_id, title_length);`,
};

/** An empty database whose owner is not a superuser. */
async function createOwnedDatabase() {
  const name = `t_upgrade_${randomBytes(4).toString('hex')}`;
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const superuser = new pg.Client(databaseUrl('postgres'));
  await superuser.connect();
  await superuser.query(`create role ${owner} login createrole`);
  await superuser.query(`create database ${name} owner ${owner}`);
  return {
    url: databaseUrl(name, owner),
    drop: async () => {
      await dropTestDatabase(name);
      await superuser.query(`drop role ${owner}`);
      await superuser.end();
    },
  };
}

for (const environment of environments) {
  test(`${environment}: an owner that is not a superuser applies the next migration once, and every row is kept`, async () => {
    const { url, drop } = await createOwnedDatabase();
    const migrations = await readMigrations(migrationsFolder);
    await migrate(url, environment, migrations, new Date());

    const client = new pg.Client(url);
    await client.connect();
    const orgs = [randomUUID(), randomUUID()];
    for (const org of orgs) await insertRows(client, org);
    const before = await Promise.all(orgs.map((org) => readRows(client, org)));

    const all = [...migrations, next];
    assert.deepEqual(await migrate(url, environment, all, new Date()), [next.name]);
    assert.deepEqual(await migrate(url, environment, all, new Date()), []);

    assert.deepEqual(await Promise.all(orgs.map((org) => readRows(client, org))), before);
    const { rows } = await client.query(`
      select (select array_agg(title_length) from releases) as lengths,
             (select array_agg(origin) from events) as origins,
             (select relforcerowsecurity from pg_class where oid = 'releases'::regclass) as is_forced`);
    assert.deepEqual(rows, [{ lengths: [11], origins: ['api'], is_forced: true }]);
    await client.end();
    await drop();
  });
}

test('0011 reserves every ISRC that tracks of all organizations have, or had in a snapshot', async () => {
  const { url, drop } = await createOwnedDatabase();
  const migrations = await readMigrations(migrationsFolder);
  const earlier = migrations.filter(({ name }) => name < '0011');
  await migrate(url, 'live', earlier, new Date());
  const client = new pg.Client(url);
  await client.connect();
  const orgs = [randomUUID(), randomUUID()];
  for (const org of orgs) {
    await insertRows(client, org);
    await client.query(
      `insert into tracks (org_id, id, release_id, metadata, title, artists, isrc, disc, position, content_bytes,
                           created_at, updated_at, actor_type, actor_id)
       select org_id, uuidv7(), id, '{}', 'T', '[]', isrc, 1, position, 300, now(), now(), 'key', 'x'
         from releases, (values (1, 'QZLAW2600002'), (2, 'QZNOW2600001')) as named (position, isrc)`,
    );
  }
  await migrate(url, 'live', migrations, new Date());
  for (const org of orgs) {
    const { rows } = await client.query(
      `select array(select isrc from isrc_reservations order by isrc) as isrcs
         from set_config('app.org_id', $1, false)`,
      [org],
    );
    assert.deepEqual(rows[0].isrcs, ['QZLAW2600001', 'QZLAW2600002', 'QZNOW2600001']);
  }
  const { rows } = await client.query(
    `select relname from pg_class
      where relname in ('isrc_reservations', 'release_isrcs', 'tracks') and relforcerowsecurity order by 1`,
  );
  assert.deepEqual(
    rows.map(({ relname }) => relname),
    ['isrc_reservations', 'release_isrcs', 'tracks'],
  );
  await client.end();
  await drop();
});

test('0016 makes a default label for every organization, gives it to its releases, and so does a new organization', async () => {
  const { url, drop } = await createOwnedDatabase();
  const migrations = await readMigrations(migrationsFolder);
  const earlier = migrations.filter(({ name }) => name < '0016');
  await migrate(url, 'live', earlier, new Date());
  const client = new pg.Client(url);
  await client.connect();
  const orgs = [randomUUID(), randomUUID()];
  const insertOrganization = (org: string) =>
    client.query(
      `insert into organizations (org_id, name, tier, default_label, licensed_territories, created_at, updated_at,
                                  actor_type, actor_id)
       values ($1, 'Org', 'growth', 'Label', '{WORLD}', now(), now(), 'key', 'x')`,
      [org],
    );
  for (const org of orgs) {
    await insertRows(client, org);
    await insertOrganization(org);
  }
  await migrate(url, 'live', migrations, new Date());
  const added = randomUUID();
  await client.query(`select set_config('app.org_id', $1, false)`, [added]);
  await insertOrganization(added);
  for (const org of [...orgs, added]) {
    await client.query(`select set_config('app.org_id', $1, false)`, [org]);
    const { rows } = await client.query(
      `select name, is_default, (select labels from catalog_usage) as used,
              (select count(*)::int from releases r where r.label_id = l.id) as releases
         from labels l`,
    );
    const releases = org === added ? 0 : 1;
    assert.deepEqual(rows, [{ name: 'Label', is_default: true, used: 1, releases }]);
  }
  await client.end();
  await drop();
});

test('0017 moves the credits among artists to contributors of tracks, and keeps every other artist', async () => {
  const { url, drop } = await createOwnedDatabase();
  const migrations = await readMigrations(migrationsFolder);
  await migrate(
    url,
    'live',
    migrations.filter(({ name }) => name < '0017'),
    new Date(),
  );
  const client = new pg.Client(url);
  await client.connect();
  const main = { name: 'A', role: 'main', isni: '0000000121032683' };
  const remixer = { name: 'B', role: 'remixer' };
  const artists = [
    { name: 'C', role: 'producer' },
    main,
    { name: 'A', role: 'composer' },
    remixer,
    { name: 'C', role: 'lyricist' },
  ];
  const orgs = [randomUUID(), randomUUID()];
  for (const org of orgs) {
    await insertRows(client, org);
    await client.query('update releases set artists = $1', [JSON.stringify(artists)]);
    await client.query(
      `insert into tracks (org_id, id, release_id, metadata, title, artists, isrc, disc, position, content_bytes,
                           created_at, updated_at, actor_type, actor_id)
       select org_id, uuidv7(), id, '{}', 'T', case position when 1 then releases.artists else $1 end, 'QZNOW2600001', 1,
              position, 300, now(), now(), 'key', 'x'
         from releases, (values (1), (2)) as placed (position)`,
      [JSON.stringify([main])],
    );
  }
  await migrate(url, 'live', migrations, new Date());
  for (const org of orgs) {
    const { rows } = await client.query(
      `select (select artists from releases) as of_release,
              (select jsonb_agg(jsonb_build_array(artists, contributors) order by position) from tracks) as of_tracks
         from set_config('app.org_id', $1, false)`,
      [org],
    );
    assert.deepEqual(rows[0].of_release, [main, remixer]);
    assert.deepEqual(rows[0].of_tracks, [
      [
        [main, remixer],
        [
          { name: 'C', roles: ['lyricist', 'producer'] },
          { name: 'A', roles: ['composer'] },
        ],
      ],
      [[main], []],
    ]);
  }
  const { rows } = await client.query(
    `select relname from pg_class where relname in ('releases', 'tracks') and relforcerowsecurity order by 1`,
  );
  assert.deepEqual(
    rows.map(({ relname }) => relname),
    ['releases', 'tracks'],
  );
  await client.end();
  await drop();
});

test('an owner that is not a superuser posts for every organization, and lists those with a ledger', async () => {
  const { url, drop } = await createOwnedDatabase();
  await migrate(url, 'live', await readMigrations(migrationsFolder), new Date());
  const client = new pg.Client(url);
  await client.connect();
  const orgs = [randomUUID(), randomUUID()].toSorted();
  await client.query(
    `select post_to_ledgers($1, $2, '{first,second}', now(), 'operator', 'x', '{1,1,2,2}', '{EUR,EUR,EUR,EUR}',
                            '{cash,payable,cash,payable}', '{1,-1,1,-1}')`,
    [orgs, [randomUUID(), randomUUID()]],
  );
  const { rows } = await client.query(
    'select org from organizations_with_ledger() as org order by 1',
  );
  assert.deepEqual(
    rows.map(({ org }) => org),
    orgs,
  );
  await client.end();
  await drop();
});

test('an owner that is not a superuser finds the payees of every organization', async () => {
  const { url, drop } = await createOwnedDatabase();
  await migrate(url, 'live', await readMigrations(migrationsFolder), new Date());
  const client = new pg.Client(url);
  await client.connect();
  const orgs = [randomUUID(), randomUUID()].toSorted();
  for (const org of orgs) {
    await client.query(`select set_config('app.org_id', $1, false)`, [org]);
    await client.query(
      `insert into organizations (org_id, name, tier, default_label, licensed_territories, created_at, updated_at,
                                  actor_type, actor_id)
       values ($1, 'x', 'growth', 'x', '{WORLD}', now(), now(), 'operator', 'x')`,
      [org],
    );
  }
  await client.query(`select set_config('app.org_id', '', false)`);
  const { rows } = await client.query(
    'select org_id, statement_currency, residence from payees_of_run($1) order by 1',
    [orgs],
  );
  assert.deepEqual(
    rows,
    orgs.map((org) => ({ org_id: org, statement_currency: 'USD', residence: null })),
  );
  await client.end();
  await drop();
});

/** As the owner, in the context of the organization: a release, its snapshot, a job and an event. */
async function insertRows(client: pg.Client, org: string): Promise<void> {
  const release = randomUUID();
  await client.query(`select set_config('app.org_id', $1, false)`, [org]);
  await client.query(
    `insert into releases (org_id, id, title, artists, release_date, label, upc, territories, status, track_count,
                           content_bytes, revision, created_at, updated_at, actor_type, actor_id)
     values ($1, $2, 'Night Drive', '[]', '2027-01-15', 'Label', '400000000001', '{US}', 'submitted', 2,
             300, 1, now(), now(), 'key', 'x')`,
    [org, release],
  );
  await client.query(
    `insert into release_snapshots (org_id, release_id, revision, snapshot, created_at) values
       ($1, $2, 1, '{"tracks":[{"isrc":"QZLAW2600001"},{"isrc":"QZLAW2600001"}]}', now()),
       ($1, $2, 2, '{"tracks":[{"isrc":"QZLAW2600002"}]}', now())`,
    [org, release],
  );
  await client.query(
    `insert into delivery_jobs (org_id, id, action, status, defaults, total, created_at, updated_at, completed_at,
                                settled_at, actor_type, actor_id)
     values ($1, $2, 'deliver', 'completed', '{}', 1, now(), now(), now() - interval '1 year', now(), 'key', 'x')`,
    [org, randomUUID()],
  );
  await client.query(
    `insert into events (org_id, id, type, data, created_at) values ($1, uuidv7(), 'test', '{}', now())`,
    [org],
  );
}

/** The rows of one organization, without the columns of the next migration. */
async function readRows(client: pg.Client, org: string): Promise<object> {
  const { rows } = await client.query(
    `select (select array_agg(to_jsonb(r) - 'title_length') from releases r) as releases,
            (select array_agg(to_jsonb(e) - 'origin') from events e) as events,
            (select array_agg(to_jsonb(s) order by revision) from release_snapshots s) as snapshots,
            (select array_agg(to_jsonb(j)) from delivery_jobs j) as jobs,
            array(select isrc from release_isrcs order by isrc) as isrcs
       from set_config('app.org_id', $1, false)`,
    [org],
  );
  const [found] = rows;
  assert.deepEqual(found.isrcs, ['QZLAW2600001', 'QZLAW2600002'], 'the trigger has recorded them');
  for (const table of ['releases', 'events', 'jobs']) assert.equal(found[table].length, 1, table);
  return found;
}

test('this release runs on the schema of the next one, with the connections it has open', async () => {
  const service = await openTestService();
  const caller = await service.givenOrganization();
  const first = await caller.call('POST', '/v1/releases', draft({ reference: 'before' }));
  assert.equal(first.status, 201, first.text);
  const path = `/v1/releases/${first.json.id}`;
  const list = '/v1/releases?limit=10';
  const read = await caller.call('GET', path);
  await caller.call('GET', list);
  await service.sequenceEvents();

  const migrations = await readMigrations(migrationsFolder);
  const url = databaseUrl(service.database);
  const applied = await migrate(url, service.environment, [...migrations, next], new Date());
  assert.deepEqual(applied, [next.name]);

  assert.equal((await caller.call('GET', path)).text, read.text);
  const second = await caller.call('POST', '/v1/releases', draft({ reference: 'after' }));
  assert.equal(second.status, 201, second.text);
  const patched = await caller.call('PATCH', path, { title: 'Day Drive' });
  assert.equal(patched.status, 200, patched.text);
  const { json: page } = await caller.call('GET', list);
  assert.deepEqual(
    page.data.map(({ reference }: { reference: string }) => reference),
    ['after', 'before'],
  );
  await service.sequenceEvents();
  const { json: history } = await caller.call('GET', '/v1/events');
  const sequences = history.data.map(({ sequence }: { sequence: number }) => sequence);
  assert.ok(sequences.length >= 2);
  assert.deepEqual(
    sequences.toReversed(),
    sequences.map((_: number, place: number) => place + 1),
  );
  // What the next release finds: rows of before are filled, rows that this release wrote since have the default.
  const rows = await service.query('select title_length from releases order by created_at, id');
  assert.deepEqual(rows, [{ title_length: 11 }, { title_length: 0 }]);
  await service.close();
});

test('0018 gives releases and organizations of before the metadata language en, and keeps their fingerprints', async () => {
  const { url, drop } = await createOwnedDatabase();
  const migrations = await readMigrations(migrationsFolder);
  await migrate(
    url,
    'live',
    migrations.filter(({ name }) => name < '0018'),
    new Date(),
  );
  const client = new pg.Client(url);
  await client.connect();
  const org = randomUUID();
  await insertRows(client, org);
  await migrate(url, 'live', migrations, new Date());
  await client.query(`select set_config('app.org_id', $1, false)`, [org]);
  const { rows } = await client.query(
    `select metadata_language, ean, (select count(ean)::int from release_snapshots) as eans from releases`,
  );
  assert.deepEqual(rows, [{ metadata_language: 'en', ean: null, eans: 0 }]);
  // The release of before, as the EAN of another one.
  const duplicate = client.query(
    `insert into releases (org_id, id, title, artists, release_date, label, upc, ean, territories, status,
                           track_count, content_bytes, revision, created_at, updated_at, actor_type, actor_id)
     select org_id, uuidv7(), title, artists, release_date, label, '400000000018', '0' || upc, territories, status,
            0, 300, 1, now(), now(), 'key', 'x' from releases`,
  );
  await assert.rejects(duplicate, /releases_product_code_fingerprint/);
  await client.end();
  await drop();
});

test('0022 keeps the hashes of audit rows, and links rows with and without digests to them', async () => {
  const { url, drop } = await createOwnedDatabase();
  const migrations = await readMigrations(migrationsFolder);
  const earlier = migrations.filter(({ name }) => name < '0022');
  await migrate(url, 'live', earlier, new Date());
  const client = new pg.Client(url);
  await client.connect();
  const org = randomUUID();
  await client.query(`select set_config('app.org_id', $1, false)`, [org]);
  /** As the release before this one does. */
  const appendAndLink = async (columns = '', values = '') => {
    await client.query(
      `insert into audit (org_id, id, action, audited_id, actor_type, actor_id, occurred_at ${columns})
       values ($1, uuidv7(), 'release.create', 'rel_x', 'api_key', 'key_x', now() ${values})`,
      [org],
    );
    await client.query('select sequence_organization($1, 10)', [org]);
  };
  const hashes = async () =>
    (await client.query('select hash from audit order by sequence')).rows.map(({ hash }) => hash);
  await appendAndLink();
  await appendAndLink();
  const before = await hashes();
  await migrate(url, 'live', migrations, new Date());
  assert.deepEqual(await hashes(), before);
  await appendAndLink();
  await appendAndLink(', before_digest, after_digest', `, sha256('a'), sha256('b')`);
  await appendAndLink(', after_digest', `, sha256('b')`);
  const { rows } = await client.query(
    `select broken_audit_link(app_org_id()) as broken, last_sequence, is_broken
       from verify_audit_links(app_org_id(), 0, sha256(convert_to(app_org_id()::text, 'UTF8')), 100)`,
  );
  assert.deepEqual(rows, [{ broken: null, last_sequence: '5', is_broken: false }]);
  await client.query(`update audit set after_digest = sha256('c') where sequence = 1`);
  const { rows: tampered } = await client.query('select broken_audit_link($1) as broken', [org]);
  assert.deepEqual(tampered, [{ broken: '1' }]);
  await client.end();
  await drop();
});

for (const environment of environments) {
  test(`0021 keeps organizations of before verified; in ${environment} the release before still provisions new ones`, async () => {
    const { url, drop } = await createOwnedDatabase();
    const migrations = await readMigrations(migrationsFolder);
    const earlier = migrations.filter(({ name }) => name < '0021');
    await migrate(url, environment, earlier, new Date());
    const client = new pg.Client(url);
    await client.connect();
    const insertOrganization = async () => {
      const org = randomUUID();
      await client.query(`select set_config('app.org_id', $1, false)`, [org]);
      await client.query(
        `insert into organizations (org_id, name, tier, default_label, licensed_territories, created_at, updated_at,
                                    actor_type, actor_id)
         values ($1, 'Org', 'growth', 'Label', '{WORLD}', now(), now(), 'key', 'x')`,
        [org],
      );
      return org;
    };
    const existing = await insertOrganization();
    await migrate(url, environment, migrations, new Date());
    const added = await insertOrganization();
    const statusOf = async (org: string): Promise<string> => {
      await client.query(`select set_config('app.org_id', $1, false)`, [org]);
      const { rows } = await client.query(
        'select verification_status from organizations where org_id = $1',
        [org],
      );
      return rows[0].verification_status;
    };
    assert.equal(await statusOf(existing), 'verified');
    assert.equal(await statusOf(added), environment === 'live' ? 'unverified' : 'verified');
    const { rows } = await client.query(
      `select has_column_privilege('tonearm_app', 'organizations', 'verification_status', 'update') as app,
              has_column_privilege('tonearm_worker', 'organizations', 'verification_status', 'update') as worker`,
    );
    const mayWrite = environment === 'sandbox';
    assert.deepEqual(rows, [{ app: mayWrite, worker: mayWrite }]);
    await client.end();
    await drop();
  });
}
