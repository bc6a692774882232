/** Files at another party's server, over real SFTP and at a real S3 server. */

import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { until } from '../../../scripts/servers/server.ts';
import type { SftpServer } from '../../../scripts/servers/sftp.ts';
import { openTransport, type TransportSettings } from '../src/platform/transport/open-transport.ts';
import { fingerprintOf } from '../src/platform/transport/sftp-session.ts';
import {
  type FileContent,
  FileTooLarge,
  type Transport,
  WrongContent,
  WrongHostKey,
} from '../src/platform/transport/transport.ts';
import { sftpSettings, startSftpServer } from './sftp-fixture.ts';
import { createTestBucket, s3OptionsOf } from './test-storage.ts';

const contentOf = (bytes: Buffer): FileContent => ({
  open: async () => Readable.from(pieces(bytes)),
  sizeBytes: bytes.length,
  sha256: hash('sha256', bytes),
});

function* pieces(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += 100_001)
    yield bytes.subarray(start, start + 100_001);
}

const neverAborted = () => new AbortController().signal;
let server: SftpServer;
let settingsOf: Record<'sftp' | 's3', TransportSettings>;

before(async () => {
  server = await startSftpServer(27_122);
  settingsOf = {
    sftp: { kind: 'sftp', ...sftpSettings(server, 'storea') },
    s3: { kind: 's3', ...s3OptionsOf(await createTestBucket()), folder: 'storea' },
  };
  mkdirSync(join(server.access.root, 'storea'));
});
after(async () => {
  await server.stop();
  server.wipe();
});

for (const kind of ['sftp', 's3'] as const) {
  describe(`files over ${kind}`, () => {
    let transport: Transport;
    before(async () => {
      transport = await openTransport(settingsOf[kind], neverAborted());
    });
    after(() => transport.close());

    test('what is put is found, listed, read and removed', async () => {
      const bytes = randomBytes(3_000_000);
      await transport.put('batch/one/a.wav', contentOf(bytes));
      await transport.put('batch/one/b.xml', contentOf(Buffer.from('<b/>')));
      assert.deepEqual(await transport.find('batch/one/a.wav'), { sizeBytes: bytes.length });
      assert.deepEqual(await transport.list('batch/one', 10), [
        { name: 'a.wav', sizeBytes: bytes.length },
        { name: 'b.xml', sizeBytes: 4 },
      ]);
      assert.equal((await transport.list('batch/one', 1)).length, 1);
      assert.ok((await transport.read('batch/one/a.wav', bytes.length)).equals(bytes));
      await transport.remove('batch/one/a.wav');
      await transport.remove('batch/one/a.wav');
      assert.equal(await transport.find('batch/one/a.wav'), undefined);
    });

    test('an empty file, and one that replaces another', async () => {
      await transport.put('batch/two/c', contentOf(Buffer.alloc(0)));
      assert.deepEqual(await transport.find('batch/two/c'), { sizeBytes: 0 });
      await transport.put('batch/two/c', contentOf(Buffer.from('new')));
      assert.equal((await transport.read('batch/two/c', 10)).toString(), 'new');
    });

    test('a folder that is not there is empty', async () => {
      assert.deepEqual(await transport.list('nowhere', 10), []);
      assert.equal(await transport.find('nowhere/a'), undefined);
    });

    test('a file larger than the limit is not read', async () => {
      await transport.put('large', contentOf(Buffer.alloc(1_000)));
      await assert.rejects(transport.read('large', 999), FileTooLarge);
    });

    test('a source with other bytes than announced leaves nothing under the name', async () => {
      const bytes = randomBytes(500_000);
      const wrong = { ...contentOf(bytes), sha256: hash('sha256', 'other') };
      await assert.rejects(transport.put('wrong/a.wav', wrong), WrongContent);
      const short = { ...contentOf(bytes), sizeBytes: bytes.length + 1 };
      await assert.rejects(transport.put('wrong/a.wav', short), WrongContent);
      assert.equal(await transport.find('wrong/a.wav'), undefined);
    });
  });
}

describe('SFTP', () => {
  const sftp = () => settingsOf.sftp as Extract<TransportSettings, { kind: 'sftp' }>;

  test('a server with another host key is refused before anything is sent', async () => {
    const settings = { ...sftp(), hostKey: `SHA256:${'A'.repeat(43)}` };
    await assert.rejects(openTransport(settings, neverAborted()), WrongHostKey);
  });

  test('a wrong key and a closed port are refused', async () => {
    const other = { ...sftp(), user: 'nobody-here' };
    await assert.rejects(openTransport(other, neverAborted()), /authentication/i);
    await assert.rejects(openTransport({ ...sftp(), port: 1 }, neverAborted()), /ECONNREFUSED/);
  });

  test('a key that cannot be read is refused, and leaves no connection open', async () => {
    const sockets = new Set<Socket>();
    const listener = createServer((socket) => {
      sockets.add(socket.once('close', () => sockets.delete(socket)).resume());
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const settings = { ...sftp(), port, privateKey: 'none' };
    await assert.rejects(openTransport(settings, neverAborted()), /privateKey/);
    // Connections are accepted in their order: when this one is, a forgotten one was.
    const probe = createConnection({ host: '127.0.0.1', port });
    await once(listener, 'connection');
    probe.destroy();
    await until('every connection has ended', () => sockets.size === 0);
    listener.close();
  });

  test('a file is not visible under its name until it is whole', async () => {
    const transport = await openTransport(settingsOf.sftp, neverAborted());
    const gate = Promise.withResolvers<void>();
    const bytes = randomBytes(1_000_000);
    const slow: FileContent = {
      ...contentOf(bytes),
      open: async () =>
        Readable.from(
          (async function* () {
            yield bytes.subarray(0, 600_000);
            await gate.promise;
            yield bytes.subarray(600_000);
          })(),
        ),
    };
    const put = transport.put('half/a.wav', slow);
    const file = join(server.access.root, 'storea/half/a.wav');
    while (!existsSync(`${file}.part`)) await wait(10);
    assert.equal(existsSync(file), false);
    assert.deepEqual(await transport.list('half', 10), []);
    gate.resolve();
    await put;
    assert.ok(readFileSync(file).equals(bytes));
    assert.equal(existsSync(`${file}.part`), false);
    await transport.close();
  });

  test('an upload that the server cuts off rejects; the next one replaces what was left', async () => {
    const transport = await openTransport(settingsOf.sftp, neverAborted());
    const bytes = randomBytes(1_000_000);
    const endless: FileContent = {
      ...contentOf(bytes),
      open: async () =>
        Readable.from(
          (async function* () {
            for (;;) {
              yield bytes;
              await wait(5);
            }
          })(),
        ),
    };
    const put = assert.rejects(transport.put('cut/a.wav', endless));
    const file = join(server.access.root, 'storea/cut/a.wav');
    while (!existsSync(`${file}.part`)) await wait(10);
    await server.kill();
    await put;
    await server.start();
    const again = await openTransport(settingsOf.sftp, neverAborted());
    await again.put('cut/a.wav', contentOf(bytes));
    assert.ok(readFileSync(file).equals(bytes));
    await again.close();
  });

  test('the signal ends what is under way', async () => {
    const aborter = new AbortController();
    const transport = await openTransport(settingsOf.sftp, aborter.signal);
    const never: FileContent = {
      ...contentOf(Buffer.alloc(10)),
      open: async () =>
        Readable.from(
          (async function* () {
            for (;;) {
              yield randomBytes(200_000);
              await wait(5);
            }
          })(),
        ),
    };
    const put = assert.rejects(transport.put('aborted/a.wav', never));
    await wait(50);
    aborter.abort();
    await put;
  });

  test('a file beside ours stays', async () => {
    const folder = join(server.access.root, 'storea/shared');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'theirs'), 'x');
    const transport = await openTransport(settingsOf.sftp, neverAborted());
    await transport.put('shared/ours', contentOf(Buffer.from('y')));
    assert.deepEqual(
      (await transport.list('shared', 10)).map(({ name }) => name),
      ['ours', 'theirs'],
    );
    await transport.close();
  });
});

describe('servers that answer without a bound', () => {
  test('a bucket whose answers have no length is refused, and not read', async () => {
    const listener = createHttpServer((_request, response) => {
      response.removeHeader('content-length');
      response.write('<?xml version="1.0"?>');
      response.end(
        '<ListBucketResult><Contents><Key>storea/a/b</Key></Contents></ListBucketResult>',
      );
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const transport = await openTransport(
      { ...settingsOf.s3, endpoint } as TransportSettings,
      neverAborted(),
    );
    for (const work of [
      () => transport.find('a/b'),
      () => transport.read('a/b', 1_000_000),
      () => transport.list('a', 10),
    ])
      await assert.rejects(work, /without the length of (storea\/)?a\/b/);
    await transport.close();
    listener.close();
  });

  test('a folder whose list never ends is read up to 20,000 entries, and only the first names are kept', async () => {
    const key = ssh2.utils.generateKeyPairSync('ed25519');
    let readCount = 0;
    const endless = new ssh2.Server({ hostKeys: [key.private] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (context) => context.accept());
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => {
          const sftp = acceptSftp();
          sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('folder')));
          sftp.on('READDIR', (id) => {
            readCount += 1;
            sftp.name(
              id,
              Array.from({ length: 1_000 }, (_, i) => fileNamed(`${readCount}-${i}`)),
            );
          });
          sftp.on('CLOSE', (id) => sftp.status(id, 0));
        });
      });
    });
    endless.listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const parsed = ssh2.utils.parseKey(key.public);
    assert.ok(!(parsed instanceof Error));
    const transport = await openTransport(
      {
        ...settingsOf.sftp,
        port,
        hostKey: fingerprintOf(parsed.getPublicSSH()),
      } as TransportSettings,
      neverAborted(),
    );
    const listed = await transport.list('acks', 3);
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['1-0', '1-1', '1-10'],
    );
    assert.equal(readCount, 20);
    await transport.close();
    endless.close();
  });

  const fileNamed = (filename: string) => ({
    filename,
    longname: filename,
    attrs: { mode: 0o100_644, uid: 0, gid: 0, size: 1, atime: 0, mtime: 0 },
  });
});
