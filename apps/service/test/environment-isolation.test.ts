/** Architecture §1: sandbox and live share nothing. Whoever is pointed at the other's says so and ends. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { type Environment, environments, otherEnvironment } from '../src/kernel/environment.ts';
import { bucketIsOf, markBucket } from '../src/platform/storage/environment.ts';
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
import { createTestBucket, openTestStorage } from './test-storage.ts';

const refusal = (setting: string, thing: string, ours: Environment) => ({
  code: 1,
  stderr: `${setting} leads to ${thing} of the ${otherEnvironment[ours]} environment, and TONEARM_ENVIRONMENT is ${ours}: correct one of the two.\n`,
});

/** A port on which nobody answers. */
const noEngine = { ingressUrl: 'http://127.0.0.1:9', adminUrl: 'http://127.0.0.1:9' };
/** Live takes only calls its engine has signed; this key is nobody's. */
const anyIdentity = {
  TONEARM_ENGINE_IDENTITY_KEYS: 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f',
};

/** Whoever is not refused soon enough must not mark the bucket that others use. */
const nobodysBucket = { TONEARM_STORAGE_URL: 's3://nobody?endpoint=http://127.0.0.1:9' };

for (const ours of environments) {
  const theirs = otherEnvironment[ours];

  describe(`a process of ${ours} and a database of ${theirs}`, { concurrency: true }, () => {
    let database: string;
    let own: string;
    before(async () => {
      [database, own] = await Promise.all([createTestDatabase(theirs), createTestDatabase(ours)]);
    });
    after(() => Promise.all([database, own].map(dropTestDatabase)));

    /** All of it right, but for one setting. */
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
      test(`${role} refuses what ${setting} leads to`, async () => {
        const ended = await runToExit(role.split(' '), {
          ...apiEnvironment(own),
          ...relayEnvironment(own, noEngine),
          ...workerEnvironment(own, noEngine),
          ...anyIdentity,
          ...nobodysBucket,
          TONEARM_ENVIRONMENT: ours,
          [setting]: databaseUrl(database, user),
        });
        assert.deepEqual(ended, refusal(setting, 'a database', ours));
      });
    }

    test('api refuses one that was away when it started, as soon as it is there', async () => {
      const proxy = await openCountingProxy(Number(new URL(databaseUrl(database)).port));
      proxy.setBlackhole(true);
      const api = await startApi(own, {
        TONEARM_ENVIRONMENT: ours,
        ...nobodysBucket,
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
      await service.query(`delete from schema_migrations where name like '0014%'`);
      const { code } = await runToExit(['migrate'], {
        TONEARM_ENVIRONMENT: ours,
        TONEARM_OWNER_DATABASE_URL: databaseUrl(service.database),
      });
      const [{ applied }] = await service.query(
        `select count(*)::int as applied from schema_migrations where name like '0014%'`,
      );
      assert.deepEqual([code, applied], [1, 0]);
      await service.close();
    });
  });

  describe(`a process of ${ours} and a bucket of ${theirs}`, { concurrency: true }, () => {
    test('the first api marks its bucket, and is followed by others of its environment', async () => {
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
}

describe('migrate', () => {
  const fresh = `t_marked_${process.pid}`;
  after(() => dropTestDatabase(fresh));

  test('marks the database it makes, and knows it again', async () => {
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

  test('comes first: a database without a mark serves nobody', async () => {
    const ended = await runToExit(['relay'], {
      TONEARM_ENVIRONMENT: 'live',
      ...relayEnvironment('postgres', noEngine),
    });
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /^TONEARM_RELAY_DATABASE_URL .* run migrate first\.\n$/);
  });
});

describe('one engine for two environments', () => {
  let lab: Awaited<ReturnType<typeof openServiceWithEngine>>;
  const services = {} as Record<Environment, TestService>;
  const buckets = {} as Record<Environment, Record<string, string>>;
  before(async () => {
    lab = await openServiceWithEngine(26_580);
    for (const each of environments) {
      services[each] = await openTestService({ environment: each });
      buckets[each] = await createTestBucket();
    }
  });
  after(async () => {
    await lab.close();
    await Promise.all(Object.values(services).map((service) => service.close()));
  });

  const envOf = (environment: Environment) => ({
    ...buckets[environment],
    TONEARM_ENVIRONMENT: environment,
    TONEARM_ENGINE_IDENTITY_KEYS: lab.identityKey,
  });
  const workerOf = (environment: Environment) =>
    startWorker(services[environment].database, lab.urls, envOf(environment));
  const refusedWorker = (environment: Environment, urls = lab.urls) =>
    runToExit(['worker'], {
      ...workerEnvironment(services[environment].database, urls),
      ...envOf(environment),
    });
  const deployments = async () => {
    const answer = await fetch(`${lab.urls.adminUrl}/deployments`);
    return ((await answer.json()) as { deployments: { readonly id: string }[] }).deployments;
  };

  for (const theirs of ['sandbox', 'live'] as const) {
    const ours = otherEnvironment[theirs];
    const ingress = refusal('TONEARM_ENGINE_INGRESS_URL', 'an engine', ours);

    test(`an engine that works for ${theirs} is refused by a worker and a relay of ${ours}`, async () => {
      await kill(await workerOf(theirs));
      const known = await deployments();
      assert.equal(known.length, 1);
      const { database } = services[ours];
      assert.deepEqual(
        await Promise.all([
          refusedWorker(ours),
          refusedWorker(ours, { ...lab.urls, ingressUrl: noEngine.ingressUrl }),
          refusedWorker(ours, { ...lab.urls, adminUrl: noEngine.adminUrl }),
          runToExit(['relay'], { ...relayEnvironment(database, lab.urls), ...envOf(ours) }),
        ]),
        [ingress, refusal('TONEARM_ENGINE_ADMIN_URL', 'an engine', ours), ingress, ingress],
      );
      assert.deepEqual(await deployments(), known, 'nothing was registered');
    });

    test(`found away and come back as ${theirs}'s, it is given nothing by a relay of ${ours}`, async () => {
      await lab.engine.stop();
      const { database, query } = services[ours];
      await query(`insert into outbox (id, service, key, handler)
        values (gen_random_uuid(), 'upkeep', 'timers', 'run')`);
      const relay = await startRelay(database, lab.urls, envOf(ours));
      await lab.engine.start();
      await until('it complains', () => relay.log().includes('leads to an engine of'), 15_000);
      await kill(relay);
      assert.deepEqual(await query('select refusals from outbox'), [{ refusals: 0 }]);
    });

    test(`it may change hands once the deployments of ${theirs} are removed`, async () => {
      for (const { id } of await deployments()) {
        await fetch(`${lab.urls.adminUrl}/deployments/${id}?force=true`, { method: 'DELETE' });
      }
      assert.deepEqual(await deployments(), []);
    });
  }
});

describe('what is the sandbox’s alone', () => {
  let sandbox: TestService;
  let live: TestService;
  before(async () => {
    [sandbox, live] = await Promise.all([
      openTestService(),
      openTestService({ environment: 'live' }),
    ]);
  });
  after(() => Promise.all([sandbox.close(), live.close()]));

  test('every operation under /v1/sandbox is in live no route at all', async () => {
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
