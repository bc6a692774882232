/**
 * Architecture §1: sandbox and live share nothing. A process that is configured with the other's systems reports
 * it and exits. Each role is started as a process of live with systems of the sandbox; the checks that the roles share are
 * called in both directions.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import {
  refuseOtherBucket,
  refuseOtherDatabase,
  refuseOtherEngineIfThere,
} from '../src/app/environment-guard.ts';
import { type Environment, environments, otherEnvironment } from '../src/kernel/environment.ts';
import { bucketIsOf, markBucket } from '../src/platform/storage/environment.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { openCountingProxy } from './counting-proxy.ts';
import {
  apiEnvironment,
  kill,
  relayEnvironment,
  runToExit,
  startApi,
  startRelay,
  startWorker,
  workerEnvironment,
} from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';
import {
  createTestDatabase,
  databaseUrl,
  dropTestDatabase,
  openTestService,
  type TestService,
} from './test-service.ts';
import { createTestBucket, openTestStorage, s3OptionsOf } from './test-storage.ts';

const refusal = (setting: string, thing: string, ours: Environment) => ({
  code: 1,
  stderr: `${setting} leads to ${thing} of the ${otherEnvironment[ours]} environment, and TONEARM_ENVIRONMENT is ${ours}: correct one of the two.\n`,
});

/** A port on which no engine listens. */
const noEngine = { ingressUrl: 'http://127.0.0.1:9', adminUrl: 'http://127.0.0.1:9' };
/** Live accepts only calls that its engine has signed; no engine has this key. */
const anyIdentity = {
  TONEARM_ENGINE_IDENTITY_KEYS: 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f',
};

/** No real bucket: a process that is refused too late must not mark the bucket that other tests use. */
const missingBucket = { TONEARM_STORAGE_URL: 's3://missing?endpoint=http://127.0.0.1:9' };

const ours = 'live';
const theirs = 'sandbox';

describe(`a process of ${ours} and a database of ${theirs}`, { concurrency: true }, () => {
  let database: string;
  let own: string;
  before(async () => {
    [database, own] = await Promise.all([createTestDatabase(theirs), createTestDatabase(ours)]);
  });
  after(() => Promise.all([database, own].map(dropTestDatabase)));

  /** Each process has one wrong setting. */
  const attempts: readonly [role: string, setting: string, user: string][] = [
    ['migrate', 'TONEARM_OWNER_DATABASE_URL', 'postgres'],
    ['admin audit verify', 'TONEARM_OPERATOR_DATABASE_URL', 'tonearm_operator'],
    ['api', 'TONEARM_DATABASE_URL', 'tonearm_app'],
    ['api', 'TONEARM_DIRECTORY_DATABASE_URL', 'tonearm_directory'],
    ['relay', 'TONEARM_RELAY_DATABASE_URL', 'tonearm_relay'],
    ['worker', 'TONEARM_WORKER_DATABASE_URL', 'tonearm_worker'],
    ['all', 'TONEARM_WORKER_DATABASE_URL', 'tonearm_worker'],
  ];
  for (const [role, setting, user] of attempts) {
    test(`${role} refuses the database of ${setting}`, async () => {
      const ended = await runToExit(role.split(' '), {
        ...apiEnvironment(own),
        ...relayEnvironment(own, noEngine),
        ...workerEnvironment(own, noEngine),
        ...anyIdentity,
        ...missingBucket,
        TONEARM_ENVIRONMENT: ours,
        [setting]: databaseUrl(database, user),
      });
      assert.deepEqual(ended, refusal(setting, 'a database', ours));
    });
  }

  test('api refuses a database that was unreachable when it started, as soon as it is reachable', async () => {
    const proxy = await openCountingProxy(Number(new URL(databaseUrl(database)).port));
    proxy.setBlackhole(true);
    const api = await startApi(own, {
      TONEARM_ENVIRONMENT: ours,
      ...missingBucket,
      TONEARM_DATABASE_URL: databaseUrl(database, 'tonearm_app', proxy.port),
    });
    const ended = once(api.child, 'exit');
    proxy.setBlackhole(false);
    proxy.dropConnections();
    assert.deepEqual(await ended, [1, null]);
    const { stderr } = refusal('TONEARM_DATABASE_URL', 'a database', ours);
    assert.ok(api.log().endsWith(stderr), api.log());
    await proxy.close();
  });

  test('migrate refuses before it changes anything', async () => {
    const service = await openTestService({ environment: theirs });
    await service.query(`delete from schema_migrations where name like '0001%'`);
    const { code } = await runToExit(['migrate'], {
      TONEARM_ENVIRONMENT: ours,
      TONEARM_OWNER_DATABASE_URL: databaseUrl(service.database),
    });
    const [{ applied }] = await service.query(
      `select count(*)::int as applied from schema_migrations where name like '0001%'`,
    );
    assert.deepEqual([code, applied], [1, 0]);
    await service.close();
  });
});

describe(`a process of ${ours} and a bucket of ${theirs}`, { concurrency: true }, () => {
  test('the first api marks its bucket, and a second one of the same environment starts', async () => {
    const [database, bucket] = await Promise.all([createTestDatabase(ours), createTestBucket()]);
    const env = { ...bucket, TONEARM_ENVIRONMENT: ours };
    for (const _ of ['first', 'second']) await kill(await startApi(database, env));
    const storage = openTestStorage(bucket);
    assert.deepEqual(
      await Promise.all(environments.map((each) => bucketIsOf(storage, each))),
      environments.map((each) => each === ours),
    );
    await storage.close();
    await dropTestDatabase(database);
  });

  test('api and worker refuse it, and leave no mark of their own', async () => {
    const [database, bucket] = await Promise.all([createTestDatabase(ours), createTestBucket()]);
    const storage = openTestStorage(bucket);
    await markBucket(storage, theirs);
    const common = { ...bucket, ...anyIdentity, TONEARM_ENVIRONMENT: ours };
    const ended = await Promise.all([
      runToExit(['api'], { ...apiEnvironment(database), ...common }),
      runToExit(['worker'], { ...workerEnvironment(database, noEngine), ...common }),
    ]);
    const expected = refusal('TONEARM_STORAGE_URL', 'a bucket', ours);
    assert.deepEqual(ended, [expected, expected]);
    assert.equal(await bucketIsOf(storage, ours), false);
    await storage.close();
    await dropTestDatabase(database);
  });
});

for (const own of environments) {
  const other = otherEnvironment[own];
  const isRefused = (setting: string, thing: string) => (error: Error) => {
    assert.equal(`${error.message}\n`, refusal(setting, thing, own).stderr);
    return true;
  };

  test(`the checks that all roles share refuse systems of ${other} in ${own}`, async () => {
    const service = await openTestService({ environment: other });
    await assert.rejects(
      refuseOtherDatabase(service.db, 'TONEARM_DATABASE_URL', own),
      isRefused('TONEARM_DATABASE_URL', 'a database'),
    );
    await refuseOtherDatabase(service.db, 'TONEARM_DATABASE_URL', other);
    const bucket = await createTestBucket();
    const storage = openTestStorage(bucket);
    const logger = createLogger('silent');
    const configOf = (environment: Environment) => ({
      environment,
      storage: { kind: 's3', ...s3OptionsOf(bucket) } as const,
    });
    await refuseOtherBucket(storage, configOf(other), logger);
    await assert.rejects(
      refuseOtherBucket(storage, configOf(own), logger),
      isRefused('TONEARM_STORAGE_URL', 'a bucket'),
    );
    assert.equal(await bucketIsOf(storage, own), false);
    await refuseOtherBucket(storage, configOf(other), logger);
    await storage.close();
    await service.close();
  });
}

describe('migrate', () => {
  const fresh = `t_marked_${process.pid}`;
  after(() => dropTestDatabase(fresh));

  test('marks the database it creates, and recognizes the mark', async () => {
    const migrate = (environment: Environment) =>
      runToExit(['migrate'], {
        TONEARM_ENVIRONMENT: environment,
        TONEARM_OWNER_DATABASE_URL: databaseUrl(fresh),
      });
    for (const _ of ['first', 'second']) {
      assert.deepEqual(await migrate('live'), { code: 0, stderr: '' });
    }
    const refused = refusal('TONEARM_OWNER_DATABASE_URL', 'a database', 'sandbox');
    assert.deepEqual(await migrate('sandbox'), refused);
  });

  test('must run first: a process refuses a database without a mark', async () => {
    const ended = await runToExit(['relay'], {
      TONEARM_ENVIRONMENT: 'live',
      ...relayEnvironment('postgres', noEngine),
    });
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /^TONEARM_RELAY_DATABASE_URL .* run migrate first\.\n$/);
  });
});

describe('one engine for two environments', () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  const services = {} as Record<Environment, TestService>;
  const buckets = {} as Record<Environment, Record<string, string>>;
  before(async () => {
    stack = await openServiceWithEngine(26_580);
    for (const each of environments) {
      services[each] = await openTestService({ environment: each });
      buckets[each] = await createTestBucket();
    }
  });
  after(async () => {
    await stack.close();
    await Promise.all(Object.values(services).map((service) => service.close()));
  });

  const envOf = (environment: Environment) => ({
    ...buckets[environment],
    TONEARM_ENVIRONMENT: environment,
    TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
  });
  const workerOf = (environment: Environment) =>
    startWorker(services[environment].database, stack.urls, envOf(environment));
  const refusedWorker = (environment: Environment, urls = stack.urls) =>
    runToExit(['worker'], {
      ...workerEnvironment(services[environment].database, urls),
      ...envOf(environment),
    });
  const deployments = async () => {
    const response = await fetch(`${stack.urls.adminUrl}/deployments`);
    return ((await response.json()) as { deployments: { readonly id: string }[] }).deployments;
  };

  test('an engine with deployments of sandbox is refused by a worker and a relay of live', async () => {
    const ingress = refusal('TONEARM_ENGINE_INGRESS_URL', 'an engine', ours);
    await kill(await workerOf(theirs));
    const known = await deployments();
    assert.equal(known.length, 1);
    const { database } = services[ours];
    assert.deepEqual(
      await Promise.all([
        refusedWorker(ours),
        refusedWorker(ours, { ...stack.urls, adminUrl: noEngine.adminUrl }),
        runToExit(['relay'], { ...relayEnvironment(database, stack.urls), ...envOf(ours) }),
      ]),
      [ingress, ingress, ingress],
    );
    assert.deepEqual(await deployments(), known, 'no deployment was registered');
  });

  test('a relay of live sends nothing to an engine that was down and comes back with deployments of sandbox', async () => {
    await stack.engine.stop();
    const { database, query } = services[ours];
    await query(`insert into outbox (id, service, key, handler)
      values (gen_random_uuid(), 'upkeep', 'timers', 'run')`);
    const relay = await startRelay(database, stack.urls, envOf(ours));
    await stack.engine.start();
    await until('the relay reports the wrong engine', () =>
      relay.log().includes('leads to an engine of'),
    );
    await kill(relay);
    assert.deepEqual(await query('select refusals from outbox'), [{ refusals: 0 }]);
  });

  /** Each URL alone leads to the engine of the other environment. */
  const assertEachUrlIsRefused = async (environment: Environment) => {
    const { ingressUrl, adminUrl } = stack.urls;
    for (const [urls, setting] of [
      [{ engineIngressUrl: ingressUrl, engineAdminUrl: noEngine.adminUrl }, 'INGRESS'],
      [{ engineIngressUrl: noEngine.ingressUrl, engineAdminUrl: adminUrl }, 'ADMIN'],
    ] as const) {
      await assert.rejects(refuseOtherEngineIfThere(urls, environment), (error: Error) => {
        const { stderr } = refusal(`TONEARM_ENGINE_${setting}_URL`, 'an engine', environment);
        assert.equal(`${error.message}\n`, stderr);
        return true;
      });
    }
  };

  test('an engine can be used by live once the deployments of sandbox are removed, and is then refused in the sandbox', async () => {
    await assertEachUrlIsRefused(ours);
    for (const { id } of await deployments()) {
      await fetch(`${stack.urls.adminUrl}/deployments/${id}?force=true`, { method: 'DELETE' });
    }
    assert.deepEqual(await deployments(), []);
    await kill(await workerOf(ours));
    await assertEachUrlIsRefused(theirs);
  });
});

describe('sandbox operations', () => {
  let sandbox: TestService;
  let live: TestService;
  before(async () => {
    [sandbox, live] = await Promise.all([
      openTestService(),
      openTestService({ environment: 'live' }),
    ]);
  });
  after(() => Promise.all([sandbox.close(), live.close()]));

  test('every path under /v1/sandbox is 404 route_not_found in live', async () => {
    const guesses = ['', '/clock', '/seed', '/reset', '/scenarios', '/stores', '/webhooks'];
    const sandboxRoutes = [
      ...sandbox.api.operations
        .filter(({ path }) => path.startsWith('/v1/sandbox'))
        .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, 'any') })),
      ...guesses.flatMap((guess) =>
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
          method,
          path: `/v1/sandbox${guess}`,
        })),
      ),
    ];
    const partner = await live.givenOrganization();
    for (const { method, path } of sandboxRoutes) {
      const { status, json } = await partner.call(method, path);
      assert.deepEqual([status, json.error.code], [404, 'route_not_found'], `${method} ${path}`);
    }
    const { json: document } = await live.request(undefined, 'GET', '/openapi.json');
    const paths = Object.keys(document.paths);
    assert.ok(paths.length > 10);
    assert.deepEqual(
      paths.filter((path) => path.startsWith('/v1/sandbox')),
      [],
    );
  });
});
