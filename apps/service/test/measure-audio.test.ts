import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { measureAudio } from '../src/assets/connectors/measure-audio.ts';
import type { AudioFormat } from '../src/assets/domain/asset.ts';
import { silentFlac, withTotalSamples } from './proofs/corpus/flac.ts';

const run = promisify(execFile);
const { signal } = new AbortController();

describe('measuring sound', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'tonearm-measure-'))));
  after(() => rm(folder, { recursive: true }));

  /** A file made by the real ffmpeg from its own signal generators. */
  async function made(name: string, options: string): Promise<string> {
    const path = join(folder, name);
    await run('ffmpeg', [...'-v error -nostdin -y'.split(' '), ...options.split(' '), path]);
    return path;
  }
  const measured = async (name: string, format: AudioFormat, options: string) =>
    measureAudio(await made(name, options), format, signal);
  const codeOf = (found: Awaited<ReturnType<typeof measureAudio>>) =>
    'code' in found ? found.code : 'ready';

  const tone = '-f lavfi -i sine=d=2';
  const picture = '-f lavfi -i testsrc=d=2:s=64x64';
  const both = `${tone} ${picture} -map 0:a -map 1:v`;

  test('a video beside the sound is refused, and no decoder of it runs', async () => {
    const found = await measured('hid.m4a', 'alac', `${both} -c:a alac -c:v libx264`);
    assert.deepEqual(found, {
      code: 'unsupported_codec',
      reason:
        'The file holds h264. Upload one stream of PCM (WAV), FLAC or ALAC; a cover may be attached as JPEG or PNG.',
    });
  });

  const refused: readonly [what: string, name: string, options: string][] = [
    ['moving pictures of a kind covers have', 'mjpeg.m4a', `${both} -c:a alac -c:v mjpeg -f mov`],
    ['a second stream of sound', 'two.m4a', `${tone} ${tone} -map 0 -map 1 -c:a alac`],
    ['a timecode', 'timecode.m4a', `${both} -c:a alac -c:v mjpeg -timecode 00:00:00:00 -f mov`],
  ];
  for (const [what, name, options] of refused) {
    test(`so is ${what}`, async () => {
      assert.equal(codeOf(await measured(name, 'alac', options)), 'unsupported_codec');
    });
  }

  test('so are hundreds of streams', async () => {
    const maps = Array.from({ length: 950 }, () => '-map 0').join(' ');
    const found = await measured('many.m4a', 'alac', `-f lavfi -i sine=d=0.1 ${maps} -c:a alac`);
    assert.equal(codeOf(found), 'unsupported_codec');
  });

  const covers: readonly [name: string, format: AudioFormat, options: string][] = [
    ['jpeg.m4a', 'alac', '-c:a alac -c:v mjpeg -pix_fmt yuvj420p'],
    ['png.flac', 'flac', '-c:a flac -c:v png'],
  ];
  for (const [name, format, options] of covers) {
    test(`an attached cover is no stream of its own: ${name}`, async () => {
      const attached = `${both} -frames:v 1 ${options} -disposition:v attached_pic`;
      const found = await measured(name, format, attached);
      assert.equal('code' in found ? found.reason : found.durationMs, 2_000);
    });
  }

  test('ten minutes of digital silence are music', async () => {
    const silence = '-f lavfi -i anullsrc=r=44100:cl=stereo -t 600 -c:a flac';
    const found = await measured('silence.flac', 'flac', silence);
    assert.equal('code' in found ? found.reason : found.durationMs, 600_000);
  });

  describe('hours in a few bytes', () => {
    const twelveHours = silentFlac(12 * 3_600, 44_100);
    const measuredBytes = async (bytes: Buffer) => {
      const path = join(folder, 'hours.flac');
      await writeFile(path, bytes);
      return measureAudio(path, 'flac', signal);
    };
    const tooMuch = {
      code: 'too_long',
      reason: `The file has ${twelveHours.length} bytes, too few for so much sound: decoded it must not exceed 20 times the size of the file and 256 MiB. Split it into tracks.`,
    };

    test('are refused before anything is decoded', async () => {
      const begun = performance.now();
      assert.deepEqual(await measuredBytes(twelveHours), tooMuch);
      assert.ok(performance.now() - begun < 3_000, 'in the time ffprobe takes');
    });

    test('also where the file does not say how long it is', async () => {
      assert.deepEqual(await measuredBytes(withTotalSamples(twelveHours, 0)), tooMuch);
    });

    test('also where it says that it is short', async () => {
      assert.deepEqual(await measuredBytes(withTotalSamples(twelveHours, 44_100)), tooMuch);
    });
  });
});
