/**
 * The storage of `npm run dev` serves ranges, and refuses a PUT with an answer that reaches the client, although the client is still
 * sending its body: one that closed the connection instead looked like a network failure. Over real sockets.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createKeyring } from '../src/platform/crypto/keyring.ts';
import { createDiskServer } from '../src/platform/storage/disk-server.ts';
import { type Disk, openDisk } from '../src/platform/storage/disk-storage.ts';

const body = Buffer.alloc(8 * 1024 * 1024, 1);
const contentType = 'audio/wav';

describe('a GET from the local storage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-disk-'));
  const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
  const options = { folder, keyring, clock: { now: () => new Date() } };
  const server = createDiskServer(openDisk({ ...options, url: '' }));
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('answers ranges as S3 does: the proof of a line item reads its files by ranges', async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const disk = openDisk({ ...options, url: `http://127.0.0.1:${port}` });
    const put = await disk.presignPut('a', { contentType, sizeBytes: 10, expiresInSeconds: 60 });
    await fetch(put, {
      method: 'PUT',
      body: '0123456789',
      headers: { 'content-type': contentType },
    });
    const url = await disk.presignGet('a', 'a.wav', 60);
    const answers: readonly (readonly [
      range: string,
      status: number,
      body: string,
      of: string | null,
    ])[] = [
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=8-', 206, '89', 'bytes 8-9/10'],
      ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=10-', 416, 'The file has 10 bytes.\n', 'bytes */10'],
      ['bytes=4-2', 200, '0123456789', null],
      ['bytes=0-1,4-5', 200, '0123456789', null],
      ['pages=1', 200, '0123456789', null],
    ];
    for (const [range, status, text, of] of answers) {
      const answer = await fetch(url, { headers: { range } });
      const seen = [answer.status, await answer.text(), answer.headers.get('content-range')];
      assert.deepEqual(seen, [status, text, of], range);
    }
  });
});

describe('a refused PUT to the local storage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-disk-'));
  let now = new Date();
  const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
  const openAt = (url: string): Disk =>
    openDisk({ folder, keyring, clock: { now: () => now }, url });
  const server = createDiskServer(openAt(''));
  let disk: Disk;
  let port: number;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    disk = openAt(`http://127.0.0.1:${port}`);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  const key = 'uploads/one';
  const presign = (sizeBytes: number) =>
    disk.presignPut(key, { contentType, sizeBytes, expiresInSeconds: 60 });

  type Headers = Readonly<Record<string, string>>;
  const headOf = (url: string, headers: Headers): string => {
    const { host, pathname, search } = new URL(url);
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
    return [`PUT ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  };
  const framed = { 'content-type': contentType, 'content-length': String(body.length) };

  /** As many clients do: sends all of the body before it reads the answer. */
  async function putThenRead(
    socket: Socket,
    url: string,
    headers: Headers,
    bytes: Buffer = body,
  ): Promise<string> {
    socket.pause();
    const { promise: isSent, resolve, reject } = Promise.withResolvers<void>();
    socket.once('error', reject);
    socket.write(headOf(url, headers));
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    await isSent;
    return readAnswer(socket);
  }

  async function readAnswer(socket: Socket): Promise<string> {
    let text = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      const [head = '', content] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (content !== undefined && content.length === length) return text;
    }
    throw new Error(`the connection was closed after ${JSON.stringify(text)}`);
  }

  const refused: readonly [
    what: string,
    url: () => Promise<string>,
    headers: Headers,
    answer: RegExp,
  ][] = [
    [
      'a changed signature',
      async () => (await presign(body.length)).replace(/signature=./, 'signature=~'),
      framed,
      /signature/,
    ],
    [
      'another path',
      async () => (await presign(body.length)).replace('/one?', '/two?'),
      framed,
      /signature/,
    ],
    [
      'an expired URL',
      async () => {
        const url = await presign(body.length);
        now = new Date(now.getTime() + 61_000);
        return url;
      },
      framed,
      /expired/,
    ],
    [
      'another type',
      () => presign(body.length),
      { ...framed, 'content-type': 'text/html' },
      /Content-Type must be audio\/wav, not text\/html/,
    ],
    ['a body that is too long', () => presign(5), framed, /Content-Length must be 5, not 8388608/],
    [
      'a body that is too short',
      () => presign(body.length + 1),
      framed,
      /Content-Length must be 8388609, not 8388608/,
    ],
  ];

  for (const [what, urlOf, headers, answer] of refused) {
    test(`${what} is 403 with a reason, and the connection can be used again`, async () => {
      const url = await urlOf();
      const socket = connect(port, '127.0.0.1');
      const text = await putThenRead(socket, url, headers);
      assert.match(text, /^HTTP\/1\.1 403 /);
      assert.match(text, answer);
      assert.equal(await disk.find(key), undefined, 'nothing was stored');
      const repeated = await putThenRead(socket, await presign(body.length), framed);
      assert.match(repeated, /^HTTP\/1\.1 200 /);
      socket.destroy();
      await disk.remove(key);
    });
  }

  test('a body without a length is refused, and read to its end', async () => {
    const socket = connect(port, '127.0.0.1');
    const chunked = Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const headers = { 'content-type': contentType, 'transfer-encoding': 'chunked' };
    const text = await putThenRead(socket, await presign(body.length), headers, chunked);
    assert.match(text, /^HTTP\/1\.1 403 [^]*Content-Length must be 8388608, not missing/);
    socket.destroy();
  });

  test('the answer arrives while the client has not sent its body yet', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(headOf(await presign(5), framed));
    socket.write(body.subarray(0, 1_000));
    assert.match(await readAnswer(socket), /^HTTP\/1\.1 403 /);
    socket.destroy();
  });
});
