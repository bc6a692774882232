/**
 * Compares the upload of a release to a store with OpenSSH's own `sftp`, to the same server. Ours reads the files from the
 * object store, verifies their digests on the way, and renames each when it is whole; `sftp` puts the same files from
 * the local disk. Both write to empty folders, in turns.
 *
 * Also counts the messages that one process builds, and builds and validates against the schema of ERN 4.3.2, per second.
 *
 * The bar: 0.7 of the speed of `sftp`, every file equal to its source, and memory that does not depend on the size of a
 * release. It fails when a request waits for the one before, or a file is held in memory.
 */

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buildNewRelease, createValidator } from '@tonearm/ern';
import {
  type FileToSend,
  uploadFiles,
} from '../apps/service/src/delivery/connectors/ddex/upload-batch.ts';
import type { Storage } from '../apps/service/src/platform/storage/storage.ts';
import { openSftpTransport } from '../apps/service/src/platform/transport/sftp-transport.ts';
import { sftpSettings, startSftpServer } from '../apps/service/test/sftp-fixture.ts';
import { openTestStorage } from '../apps/service/test/test-storage.ts';
import { sampleReleases } from '../packages/ern/test/random-sample.ts';
import { schemaDirectory } from '../packages/ern/test/schema-directory.ts';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import type { SftpServer } from '../scripts/servers/sftp.ts';
import { interleave, median, shareOf } from './blocks.ts';

const mebibyte = 1_048_576;
/** Ten tracks of about five minutes in 24-bit FLAC. */
const sizes = {
  start: { rounds: 1, files: 2, fileBytes: 2 * mebibyte, messages: 20 },
  full: { rounds: 5, files: 10, fileBytes: 50 * mebibyte, messages: 500 },
};
const sftpPort = 27_122;

export const experiment: Experiment = {
  compares: 'a release of 500 MB uploaded to an SFTP server, against the sftp program of OpenSSH',
  bar: (size) => ({
    different_files: { equals: 0 },
    invalid_messages: { equals: 0 },
    ...(size !== 'start' && { share: { atLeast: 0.7 }, memory_growth_mb: { atMost: 100 } }),
  }),
  run: async ({ size, say }) => {
    const {
      rounds,
      files: fileCount,
      fileBytes,
      messages,
    } = sizes[size === 'start' ? 'start' : 'full'];
    const server = await startSftpServer(sftpPort);
    const storage = openTestStorage();
    const folder = mkdtempSync(join(tmpdir(), 'tonearm-ddex-'));
    try {
      const files = await writeFiles(storage, folder, fileCount, fileBytes);
      say(`${fileCount} files of ${fileBytes / mebibyte} MiB are stored`);
      const megabytes = (fileCount * fileBytes) / mebibyte;
      const upload = createUploads(server, storage, folder, files);
      const perSecond = (work: () => Promise<void>) => async () => {
        const begun = performance.now();
        await work();
        return megabytes / ((performance.now() - begun) / 1_000);
      };
      for (const work of [upload.ours, upload.bare]) await work();
      const memoryBefore = process.memoryUsage.rss();
      const results = await interleave(
        rounds,
        [
          { name: 'ours', measure: perSecond(upload.ours) },
          { name: 'bare', measure: perSecond(upload.bare) },
        ],
        say,
      );
      const share = shareOf(results, 'ours', 'bare');
      return {
        rounds,
        megabytes,
        share: share.median,
        spread: share,
        megabytes_per_second: {
          ours: Math.round(median(results['ours'] ?? [])),
          bare: Math.round(median(results['bare'] ?? [])),
        },
        memory_growth_mb: Math.round((process.memoryUsage.rss() - memoryBefore) / mebibyte),
        different_files: await upload.countDifferent(),
        ...countMessages(messages),
      };
    } finally {
      await server.stop();
      await storage.close();
      rmSync(folder, { recursive: true });
    }
  },
};

async function writeFiles(
  storage: Storage,
  folder: string,
  count: number,
  sizeBytes: number,
): Promise<readonly FileToSend[]> {
  const files: FileToSend[] = [];
  for (let i = 0; i < count; i++) {
    const name = `${i}.flac`;
    const bytes = randomBytes(sizeBytes);
    writeFileSync(join(folder, name), bytes);
    const objectKey = `bench-ddex/${name}`;
    const terms = { contentType: 'audio/flac', sizeBytes, expiresInSeconds: 600 };
    const url = await storage.presignPut(objectKey, terms);
    const headers = { 'content-type': terms.contentType };
    const answer = await fetch(url, { method: 'PUT', body: bytes, headers });
    if (!answer.ok) throw new Error(`the object store answers ${answer.status}`);
    files.push({ path: name, objectKey, sizeBytes, sha256: sha256Of(bytes) });
  }
  return files;
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function createUploads(
  server: SftpServer,
  storage: Storage,
  folder: string,
  files: readonly FileToSend[],
) {
  const { root } = server.access;
  const emptyFolder = (name: string) => {
    rmSync(join(root, name), { recursive: true, force: true });
    mkdirSync(join(root, name));
  };
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, server.access.privateKey(), { mode: 0o600 });
  return {
    ours: async () => {
      emptyFolder('ours');
      const { signal } = new AbortController();
      const transport = await openSftpTransport(sftpSettings(server, 'ours'), signal);
      await uploadFiles(transport, storage, files);
      await transport.close();
    },
    bare: async () => {
      emptyFolder('bare');
      const commands = files.map(({ path }) => `put ${join(folder, path)} bare/${path}\n`);
      await runSftp(server, keyFile, commands.join(''));
    },
    countDifferent: async () => {
      const digests = files.flatMap(({ path, sha256 }) =>
        ['ours', 'bare'].map(async (name) => {
          const digest = createHash('sha256');
          await pipeline(createReadStream(join(root, name, path)), digest);
          return digest.digest('hex') === sha256;
        }),
      );
      return (await Promise.all(digests)).filter((isEqual) => !isEqual).length;
    },
  };
}

async function runSftp({ access }: SftpServer, keyFile: string, commands: string): Promise<void> {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
  const child = spawn(
    'sftp',
    [
      ...options.flatMap((option) => ['-o', option]),
      ...`-b - -q -i ${keyFile} -P ${access.port} ${access.user}@${access.host}`.split(' '),
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  child.stdin.end(commands);
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`sftp ended with ${status}`);
}

function countMessages(count: number) {
  const releases = sampleReleases(count);
  const { validate } = createValidator(schemaDirectory);
  // Compiles the schema.
  for (const release of releases.slice(0, 10)) validate(buildNewRelease(release).xml);
  const begun = performance.now();
  const built = releases.map((release) => buildNewRelease(release).xml);
  const buildMs = performance.now() - begun;
  const bytes = built.reduce((sum, xml) => sum + xml.length, 0);
  const begunValidation = performance.now();
  const invalid = built.filter((xml) => validate(xml).length > 0).length;
  const validateMs = performance.now() - begunValidation;
  const perSecond = (ms: number) => Math.round(count / (ms / 1_000));
  return {
    messages: count,
    message_kilobytes: Math.round(bytes / count / 1_024),
    invalid_messages: invalid,
    built_per_second: perSecond(buildMs),
    built_and_validated_per_second: perSecond(buildMs + validateMs),
  };
}
