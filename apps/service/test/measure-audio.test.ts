import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { measureAudio } from '../src/assets/connectors/measure-audio.ts';
import type { AudioFormat } from '../src/assets/domain/asset.ts';
import { silentFlac, withTotalSamples } from './proofs/corpus/flac.ts';

const run = promisify(execFile);
const { signal } = new AbortController();

describe('measuring audio', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'tonearm-measure-'))));
  after(() => rm(folder, { recursive: true }));

  /** Creates a file with the real ffmpeg from its signal generators. */
  async function createFile(name: string, options: string): Promise<string> {
    const path = join(folder, name);
    await run('ffmpeg', [...'-v error -nostdin -y'.split(' '), ...options.split(' '), path]);
    return path;
  }
  const measure = async (name: string, format: AudioFormat, options: string) =>
    measureAudio(await createFile(name, options), format, signal);
  const codeOf = (found: Awaited<ReturnType<typeof measureAudio>>) =>
    'code' in found ? found.code : 'ready';

  const tone = '-f lavfi -i sine=d=2';
  const picture = '-f lavfi -i testsrc=d=2:s=64x64';
  const both = `${tone} ${picture} -map 0:a -map 1:v`;

  test('a video stream is refused without being decoded', async () => {
    const found = await measure('hid.m4a', 'alac', `${both} -c:a alac -c:v libx264`);
    assert.deepEqual(found, {
      code: 'unsupported_codec',
      reason:
        'The file contains h264. Upload one stream of PCM (WAV), FLAC or ALAC; only a JPEG or PNG cover can be attached.',
    });
  });

  const refused: readonly [what: string, name: string, options: string][] = [
    ['a video in a codec of covers', 'mjpeg.m4a', `${both} -c:a alac -c:v mjpeg -f mov`],
    ['a second audio stream', 'two.m4a', `${tone} ${tone} -map 0 -map 1 -c:a alac`],
    ['a timecode', 'timecode.m4a', `${both} -c:a alac -c:v mjpeg -timecode 00:00:00:00 -f mov`],
  ];
  for (const [what, name, options] of refused) {
    test(`${what} is refused`, async () => {
      assert.equal(codeOf(await measure(name, 'alac', options)), 'unsupported_codec');
    });
  }

  test('hundreds of streams are refused', async () => {
    const maps = Array.from({ length: 950 }, () => '-map 0').join(' ');
    const found = await measure('many.m4a', 'alac', `-f lavfi -i sine=d=0.1 ${maps} -c:a alac`);
    assert.equal(codeOf(found), 'unsupported_codec');
  });

  const covers: readonly [name: string, format: AudioFormat, options: string][] = [
    ['jpeg.m4a', 'alac', '-c:a alac -c:v mjpeg -pix_fmt yuvj420p'],
    ['png.flac', 'flac', '-c:a flac -c:v png'],
  ];
  for (const [name, format, options] of covers) {
    test(`an attached cover does not count as a stream: ${name}`, async () => {
      const attached = `${both} -frames:v 1 ${options} -disposition:v attached_pic`;
      const found = await measure(name, format, attached);
      assert.equal('code' in found ? found.reason : found.durationMs, 2_000);
    });
  }

  test('ten minutes of digital silence are accepted', async () => {
    const silence = '-f lavfi -i anullsrc=r=44100:cl=stereo -t 600 -c:a flac';
    const found = await measure('silence.flac', 'flac', silence);
    assert.equal('code' in found ? found.reason : found.durationMs, 600_000);
  });

  describe('the hash of the decoded samples', () => {
    const noise = '-f lavfi -i anoisesrc=d=2:seed=7:r=48000';
    const pcmOf = async (name: string, format: AudioFormat, options: string) => {
      const found = await measure(name, format, options);
      return 'code' in found ? found.reason : (found.pcmSha256 ?? '');
    };

    for (const bits of [16, 24]) {
      test(`is the same for the same music in WAV, FLAC and ALAC, ${bits} bits`, async () => {
        const name = `noise-${bits}`;
        const wav = await pcmOf(`${name}.wav`, 'wav', `${noise} -c:a pcm_s${bits}le`);
        assert.match(wav, /^[0-9a-f]{64}$/);
        const from = `-i ${join(folder, `${name}.wav`)}`;
        assert.equal(await pcmOf(`${name}.flac`, 'flac', `${from} -c:a flac`), wav);
        assert.equal(await pcmOf(`${name}.m4a`, 'alac', `${from} -c:a alac`), wav);
        assert.equal(
          await pcmOf(`${name}-tagged.flac`, 'flac', `${from} -c:a flac -metadata title=Other`),
          wav,
          'tags are no samples',
        );
      });
    }

    test('differs where one sample differs', async () => {
      const options = `${noise} -c:a pcm_s16le`;
      const original = await pcmOf('sample.wav', 'wav', options);
      const path = join(folder, 'sample.wav');
      const bytes = await readFile(path);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await writeFile(path, bytes);
      const changed = await measureAudio(path, 'wav', signal);
      assert.ok('pcmSha256' in changed);
      assert.notEqual(changed.pcmSha256, original);
    });
  });

  describe('hours in a few bytes', () => {
    const twelveHours = silentFlac(12 * 3_600, 44_100);
    const measureBytes = async (bytes: Buffer) => {
      const path = join(folder, 'hours.flac');
      await writeFile(path, bytes);
      return measureAudio(path, 'flac', signal);
    };
    const tooMuch = {
      code: 'too_long',
      reason: `The file has ${twelveHours.length} bytes, too few for its length: the decoded audio must have at most 20 times the size of the file plus 256 MiB. Split it into tracks.`,
    };

    test('are refused before decoding', async () => {
      const startedAt = performance.now();
      assert.deepEqual(await measureBytes(twelveHours), tooMuch);
      assert.ok(performance.now() - startedAt < 15_000, 'decoding would take longer');
    });

    test('are refused if the file does not declare its length', async () => {
      assert.deepEqual(await measureBytes(withTotalSamples(twelveHours, 0)), tooMuch);
    });

    test('are refused if the file declares a short length', async () => {
      assert.deepEqual(await measureBytes(withTotalSamples(twelveHours, 44_100)), tooMuch);
    });
  });
});
