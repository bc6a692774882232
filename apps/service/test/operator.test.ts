/** The operator's tools: migrations, the command line, logs, the OpenAPI document. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { runAdmin } from '../src/app/admin.ts';
import type { AdminConfig } from '../src/app/config/admin.ts';
import { migrationsFolder } from '../src/app/migrate.ts';
import { renderOpenApi } from '../src/app/openapi.ts';
import { Problem } from '../src/kernel/problem.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import {
  createTestDatabase,
  databaseUrl,
  draft,
  dropTestDatabase,
  openTestService,
  type TestService,
} from './test-service.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, '..', 'src', 'main.ts');

describe('migrations', () => {
  const now = new Date();
  const fresh = `t_fresh_${process.pid}`;
  after(() => dropTestDatabase(fresh));

  test('five processes at once create the database and apply each migration once', async () => {
    const migrations = await readMigrations(migrationsFolder);
    assert.ok(migrations.length >= 3);
    await migrate(databaseUrl(fresh), 'sandbox', migrations.slice(0, 1), now);
    const applied = await Promise.all(
      Array.from({ length: 5 }, () => migrate(databaseUrl(fresh), 'sandbox', migrations, now)),
    );
    assert.deepEqual(
      applied.flat().toSorted(),
      migrations.slice(1).map(({ name }) => name),
    );
  });

  test('an applied migration that was edited is refused', async () => {
    const migrations = await readMigrations(migrationsFolder);
    const edited = migrations.map((each) => ({ ...each, sha256: 'other' }));
    await assert.rejects(
      migrate(databaseUrl(fresh), 'sandbox', edited, now),
      /migrations were edited: 0001_platform/,
    );
  });

  test('a migration that fails is rolled back and named', async () => {
    const migrations = await readMigrations(migrationsFolder);
    const bad = {
      name: '9999_bad.sql',
      sha256: 'x',
      text: 'create table half (a int); select 1/0;',
    };
    await assert.rejects(
      migrate(databaseUrl(fresh), 'sandbox', [...migrations, bad], now),
      /9999_bad.sql failed/,
    );
    const client = new pg.Client(databaseUrl(fresh));
    await client.connect();
    const { rows } = await client.query(`select to_regclass('half') as half,
      (select count(*)::int from schema_migrations where name like '9999%') as recorded`);
    await client.end();
    assert.deepEqual(rows, [{ half: null, recorded: 0 }]);
  });
});

describe('the admin command line', () => {
  let database: string;
  before(async () => {
    database = await createTestDatabase('live');
  });
  after(() => dropTestDatabase(database));

  const config: AdminConfig = {
    environment: 'live',
    get operatorDatabaseUrl() {
      return databaseUrl(database, 'tonearm_operator');
    },
    publicUrl: undefined,
    storage: undefined,
    keys: undefined,
  };
  /** As a process. */
  const admin = (...argv: string[]) =>
    run(process.execPath, [main, 'admin', ...argv], {
      env: {
        PATH: process.env['PATH'],
        TONEARM_ENVIRONMENT: 'live',
        TONEARM_OPERATOR_DATABASE_URL: databaseUrl(database, 'tonearm_operator'),
      },
    }).then(
      ({ stdout }) => ({ code: 0, output: JSON.parse(stdout), text: '' }),
      (error: { code: number; stderr: string }) => ({
        code: error.code,
        output: undefined,
        text: error.stderr,
      }),
    );

  test('an organization, its UPC range and its key; each leaves an audit row', async () => {
    const org = await admin(
      'org',
      'create',
      '--name',
      'Northern Lights',
      '--tier',
      'growth',
      '--territories',
      'DE,AT',
    );
    assert.match(org.output.id, /^org_/);
    assert.equal(org.output.default_label, 'Northern Lights');
    const range = await admin('upc', 'add-range', '--org', org.output.id, '--prefix', '860001');
    assert.equal(range.output.count, 100_000);
    const key = await admin('key', 'create', '--org', org.output.id, '--scopes', 'releases:read');
    assert.match(key.output.secret, /^ta_live_/);
    const client = new pg.Client(databaseUrl(database));
    await client.connect();
    const { rows } = await client.query(
      `select action, actor_type, actor_id from audit where action <> 'stores.seed' order by id`,
    );
    await client.end();
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['org.create', 'upc.add-range', 'key.create'],
    );
    for (const { actor_type, actor_id } of rows) {
      assert.equal(actor_type, 'operator');
      assert.ok(actor_id.length > 0);
    }
  });

  const unknown = 'org_01h455vb4pex5vsknk084sn02q';
  const wrong: readonly [argv: string[], message: RegExp][] = [
    [[], /There is no command ""\.[\s\S]*Usage/],
    [['org', 'explode'], /There is no command "org explode"/],
    [['org', 'create', '--tier', 'growth'], /--name is required/],
    [['org', 'create', '--name', 'X', '--tier', 'gold'], /--tier must be one of/],
    [
      ['org', 'create', '--name', 'X', '--tier', 'growth', '--territories', 'DE,XX'],
      /ISO 3166-1 alpha-2 codes/,
    ],
    [['org', 'create', '--name', 'X', '--tier', 'growth', '--colour', 'red'], /colour/],
    [['org', 'suspend', '--org', unknown], /no organization/],
    [['org', 'suspend'], /--org is required/],
    [['key', 'create', '--org', unknown], /no organization/],
    [
      ['key', 'create', '--org', unknown, '--scopes', 'all'],
      /--scopes must be a list .* one of: releases:read/,
    ],
    [['key', 'create', '--org', unknown, '--expires', 'soon'], /must be a date/],
    [['key', 'create', '--org', unknown, '--expires', '2027-02-30'], /must be a date/],
    [['org', 'create', '--name', 'x'.repeat(300), '--tier', 'growth'], /too long/],
    [['key', 'revoke', '--org', unknown, '--key', 'key_01h455vb4pex5vsknk084sn02q'], /has no key/],
    [
      ['key', 'revoke', '--org', unknown, '--key', 'x'],
      /--key must be given by its id \(key_… id\)/,
    ],
    [['upc', 'add-range', '--org', unknown, '--prefix', '860001'], /no organization/],
    [['audit', 'verify'], /--org is required/],
  ];
  for (const [argv, message] of wrong) {
    test(`${argv.join(' ') || 'no command'} → ${String(message)}`, async () => {
      // A `Problem` is one line and exit code 1, as the test below sees in a process.
      await assert.rejects(runAdmin(config, argv), (error) => {
        assert.ok(error instanceof Problem, String(error));
        assert.match(error.message, message);
        return true;
      });
    });
  }

  test('an id or range that exists is refused with a clear message', async () => {
    const flags = ['--name', 'X', '--tier', 'growth', '--id', unknown];
    assert.equal((await admin('org', 'create', ...flags)).code, 0);
    const duplicate = await admin('org', 'create', ...flags);
    assert.deepEqual([duplicate.code, duplicate.text], [1, 'This id or range already exists.\n']);
    const mistake = await admin('org', 'explode');
    assert.equal(mistake.code, 1);
    assert.match(mistake.text, /There is no command "org explode"/);
    assert.ok(!mistake.text.includes('    at '), 'no stack trace');
  });

  test('its help needs no configuration', async () => {
    const { stdout } = await run(process.execPath, [main, 'admin', 'fx', 'set', '--help'], {
      env: {},
    });
    assert.match(
      stdout,
      /^Usage: npm run admin -- fx set --from CURRENCY --to CURRENCY --rate RATE/,
    );
  });

  test('without its configuration it names the missing settings', async () => {
    const failed = await run(process.execPath, [main, 'admin'], { env: {} }).catch(
      (error) => error,
    );
    assert.equal(failed.code, 1);
    assert.match(
      failed.stderr,
      /TONEARM_ENVIRONMENT is not set\n.*TONEARM_OPERATOR_DATABASE_URL is not set/,
    );
  });

  test('an unknown role prints the usage', async () => {
    const failed = await run(process.execPath, [main, 'fly']).catch((error) => error);
    assert.equal(failed.code, 2);
    assert.match(failed.stderr, /Usage/);
  });
});

describe('logs', () => {
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await openTestService({ log: (line) => lines.push(line) });
  });
  after(() => service.close());

  test('one structured line per request, with organization and route but no secret', async () => {
    const label = await service.givenOrganization();
    await label.call('POST', '/v1/releases', draft({ title: 'Hidden Title' }), {
      'x-request-id': 'theirs',
    });
    await service.request(undefined, 'GET', '/v1/releases', undefined, { 'x-api-key': label.key });
    const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    assert.equal(entries.length, 2);
    const { method, route, status, org_id, request_id, client_request_id } = entries[0];
    assert.deepEqual([method, route, status, org_id], ['POST', '/v1/releases', 201, label.orgId]);
    assert.match(request_id, /^req_/);
    assert.equal(client_request_id, 'theirs');
    const all = lines.join('');
    assert.ok(!all.includes(label.key) && !all.includes('Hidden Title'));
  });

  test('censored fields are left out even if they are passed to the logger', () => {
    lines.length = 0;
    const secret = 'ta_test_secret';
    service.api.log.info(
      { headers: { authorization: secret }, secret, err: { parameters: [secret] } },
      'x',
    );
    service.api.log.info({ req: { headers: { 'x-api-key': secret } } }, 'y');
    assert.equal(lines.length, 2);
    assert.ok(!lines.join('').includes(secret), lines.join(''));
  });

  test('the response to a failure has no internal details, the log has them', async () => {
    lines.length = 0;
    const label = await service.givenOrganization();
    await service.query('alter table releases rename to releases_away');
    const { status, json } = await label.call('GET', '/v1/releases');
    await service.query('alter table releases_away rename to releases');
    assert.deepEqual([status, json.error.code], [500, 'internal_error']);
    assert.ok(!json.error.message.includes('releases'));
    assert.ok(
      lines.some((line) => line.includes('releases') && line.includes(json.error.request_id)),
    );
  });
});

test('the committed OpenAPI document matches the routes (npm run openapi)', async () => {
  const committed = await readFile(
    join(import.meta.dirname, '../../../openapi/openapi.json'),
    'utf8',
  );
  assert.equal(await renderOpenApi(), committed);
});
