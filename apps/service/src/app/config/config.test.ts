import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConfigError,
  readAdminConfig,
  readApiConfig,
  readMigrateConfig,
  readRailConfig,
  readRelayConfig,
  readWorkerConfig,
} from './roles.ts';

const secret = Buffer.alloc(32, 1).toString('base64');
const good = {
  TONEARM_ENVIRONMENT: 'live',
  TONEARM_DATABASE_URL: 'postgres://app:hunter2@db/tonearm',
  TONEARM_DIRECTORY_DATABASE_URL: 'postgresql://dir@db/tonearm',
  TONEARM_KEYS: `new:${secret},old:${secret}`,
  TONEARM_STORAGE_URL: 's3://masters?region=eu-west-1',
};

describe('the configuration', () => {
  test('every setting but the required ones has a default', () => {
    const config = readApiConfig(good);
    assert.deepEqual(
      { ...config, keys: config.keys.map(({ id }) => id) },
      {
        environment: 'live',
        host: '127.0.0.1',
        port: 8420,
        databaseUrl: good.TONEARM_DATABASE_URL,
        directoryDatabaseUrl: good.TONEARM_DIRECTORY_DATABASE_URL,
        databaseConnections: 10,
        keys: ['new', 'old'],
        logLevel: 'info',
        drainMs: 5_000,
        redisUrl: undefined,
        instances: 1,
        isRequestLogOn: true,
        proxyHops: 0,
        outbound: { allowHttp: false, allowLoopback: false },
        publicUrl: undefined,
        storage: {
          kind: 's3',
          bucket: 'masters',
          region: 'eu-west-1',
          endpoint: undefined,
          credentials: undefined,
        },
      },
    );
  });

  test('contract §6: webhooks over http only in the sandbox, which may allow loopback; live never does', () => {
    const outboundIn = (env: Record<string, string>) => readApiConfig({ ...good, ...env }).outbound;
    const sandbox = { TONEARM_ENVIRONMENT: 'sandbox' };
    const loopback = { TONEARM_WEBHOOK_LOOPBACK: 'allow' };
    assert.deepEqual(outboundIn(sandbox), { allowHttp: true, allowLoopback: false });
    assert.deepEqual(outboundIn({ ...sandbox, ...loopback }), {
      allowHttp: true,
      allowLoopback: true,
    });
    assert.throws(() => outboundIn(loopback), /TONEARM_WEBHOOK_LOOPBACK .*sandbox only/);
    const unknown = { ...sandbox, TONEARM_WEBHOOK_LOOPBACK: 'yes' };
    assert.throws(() => outboundIn(unknown), /TONEARM_WEBHOOK_LOOPBACK must be one of/);
  });

  test('an error lists every wrong setting', () => {
    const env = {
      TONEARM_ENVIRONMENT: 'production',
      TONEARM_PORT: 'http',
      TONEARM_DRAIN_SECONDS: '-1',
    };
    assert.throws(
      () => readApiConfig(env),
      (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.message.split('\n').slice(1).toSorted(), [
          '  TONEARM_DATABASE_URL is not set',
          '  TONEARM_DIRECTORY_DATABASE_URL is not set',
          '  TONEARM_DRAIN_SECONDS must be a whole number, 0 to 60',
          '  TONEARM_ENVIRONMENT must be one of live, sandbox',
          '  TONEARM_KEYS is not set',
          '  TONEARM_PORT must be a whole number, 0 to 65535',
          '  TONEARM_STORAGE_URL is not set',
        ]);
        return true;
      },
    );
  });

  const wrong: readonly [name: string, value: string][] = [
    ['TONEARM_KEYS', 'hunter2'],
    ['TONEARM_KEYS', `a:${Buffer.alloc(31).toString('base64')}`],
    ['TONEARM_KEYS', ''],
    ['TONEARM_DATABASE_URL', 'mysql://hunter2@db/x'],
    ['TONEARM_DATABASE_URL', 'hunter2'],
    ['TONEARM_LOG_LEVEL', 'hunter2'],
    ['TONEARM_HOST', ''],
    ['TONEARM_PORT', '65536'],
    ['TONEARM_PORT', '1e3'],
    ['TONEARM_DATABASE_CONNECTIONS', '0'],
    ['TONEARM_STORAGE_URL', 'hunter2'],
    ['TONEARM_STORAGE_URL', 's3://'],
    ['TONEARM_STORAGE_URL', 's3://masters?endpoint=hunter2'],
    ['TONEARM_S3_ACCESS_KEY_ID', 'hunter2'],
    ['TONEARM_S3_SECRET_ACCESS_KEY', 'hunter2'],
    ['TONEARM_STORAGE_URL', 'file:///hunter2?port=8421'],
  ];
  for (const [name, value] of wrong) {
    test(`${name}=${value.slice(0, 20)} is refused without being repeated`, () => {
      assert.throws(
        () => readApiConfig({ ...good, [name]: value }),
        (error: Error) => error.message.includes(name) && !error.message.includes('hunter2'),
      );
    });
  }

  test('storage: S3 with access keys; a folder of this machine in the sandbox only', () => {
    const url = 's3://masters?region=us-east-1&endpoint=http://127.0.0.1:9000';
    const keys = { TONEARM_S3_ACCESS_KEY_ID: 'id', TONEARM_S3_SECRET_ACCESS_KEY: 'secret' };
    assert.deepEqual(readApiConfig({ ...good, TONEARM_STORAGE_URL: url, ...keys }).storage, {
      kind: 's3',
      bucket: 'masters',
      region: 'us-east-1',
      endpoint: 'http://127.0.0.1:9000',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
    const sandbox = { ...good, TONEARM_ENVIRONMENT: 'sandbox' };
    const disk = { TONEARM_STORAGE_URL: 'file:///var/tonearm%20files?port=8421' };
    assert.deepEqual(readApiConfig({ ...sandbox, ...disk }).storage, {
      kind: 'disk',
      folder: '/var/tonearm files',
      port: 8421,
    });
  });

  test('payouts: live needs a rail over https; the sandbox has a scripted one, which live refuses', () => {
    const worker = {
      ...good,
      TONEARM_WORKER_DATABASE_URL: 'postgres://worker@db/tonearm',
      TONEARM_ENGINE_INGRESS_URL: 'http://engine:8080',
      TONEARM_ENGINE_ADMIN_URL: 'http://engine:9070',
      TONEARM_ENGINE_IDENTITY_KEYS: 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f',
      TONEARM_VERSION: '1',
    };
    const railIn = (env: object) => readWorkerConfig({ ...worker, ...env }).payoutRailUrl;
    const bank = { TONEARM_PAYOUT_RAIL_URL: 'https://bank.example/v2/' };
    assert.equal(railIn(bank), 'https://bank.example/v2');
    assert.throws(() => railIn({}), /TONEARM_PAYOUT_RAIL_URL is required in live/);
    const plain = { TONEARM_PAYOUT_RAIL_URL: 'http://bank.example' };
    assert.throws(() => railIn(plain), /TONEARM_PAYOUT_RAIL_URL must read https:/);
    assert.equal(railIn({ TONEARM_ENVIRONMENT: 'sandbox' }), 'http://127.0.0.1:9480');
    assert.throws(
      () => readRailConfig({ TONEARM_ENVIRONMENT: 'live' }),
      /TONEARM_ENVIRONMENT must be sandbox/,
    );
    assert.equal(readRailConfig({ TONEARM_ENVIRONMENT: 'sandbox' }).port, 9_480);
  });

  test('each role reads only its own settings', () => {
    assert.throws(() => readMigrateConfig({}), /TONEARM_OWNER_DATABASE_URL is not set/);
    const admin = {
      TONEARM_ENVIRONMENT: 'sandbox',
      TONEARM_OPERATOR_DATABASE_URL: 'postgres://o@db/t',
    };
    assert.equal(readAdminConfig(admin).environment, 'sandbox');
  });

  test('every role requires TONEARM_ENVIRONMENT', () => {
    const readers = [
      readAdminConfig,
      readApiConfig,
      readMigrateConfig,
      readRailConfig,
      readRelayConfig,
      readWorkerConfig,
    ];
    for (const read of readers) assert.throws(() => read({}), /TONEARM_ENVIRONMENT is not set/);
  });
});
