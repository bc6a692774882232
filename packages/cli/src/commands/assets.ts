/** `assets upload|wait|get` */

import { type Asset, AssetFailedError, WaitTimeoutError } from '@tonearm/sdk';
import type { Command } from 'commander';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { eachOf } from '../each-of.ts';
import { Failure, usageFailure } from '../failure.ts';
import { type LocalFile, inspectFile } from '../import/local-file.ts';
import { printFields } from '../output/fields.ts';
import { statusText } from '../output/status.ts';
import { lengthText, sizeText } from '../output/units.ts';
import { parseTimeout } from './deliver.ts';
import { createUploadView } from './upload-view.ts';

const usualTimeoutMs = 300_000;
/** Each sends several parts at once already. */
const filesAtOnce = 2;

function inspectAll(paths: readonly string[]): LocalFile[] {
  const inspected = paths.map((path) => inspectFile(path));
  const problems = inspected.flatMap((each) => (each.ok ? [] : [each.problem]));
  if (problems.length > 0) throw usageFailure(`${problems.join('; ')}. Nothing was uploaded.`);
  return inspected.flatMap((each) => (each.ok ? [each.file] : []));
}

/** What the service measured: `16 bit, 44.1 kHz, 0:40`, or `3000 × 3000`. */
export function technicalText({ technical }: Asset): string {
  if (technical === null) return '';
  return 'duration_ms' in technical
    ? `${technical.bit_depth} bit, ${technical.sample_rate / 1_000} kHz, ${lengthText(technical.duration_ms)}`
    : `${technical.width} × ${technical.height}`;
}

type UploadOptions = { readonly wait: boolean; readonly timeout: number };

async function uploadAll(
  context: Context,
  paths: readonly string[],
  options: UploadOptions,
): Promise<void> {
  const { client, output, signal } = context;
  const files = inspectAll(paths);
  const view = createUploadView(
    output,
    files.map(({ path, sizeBytes }) => ({ name: path, sizeBytes })),
  );
  const assets = new Map<string, Asset>();
  const failures: string[] = [];
  await eachOf(files, filesAtOnce, async ({ path, type, contentType }) => {
    try {
      const asset = await client().assets.upload(path, {
        type,
        contentType,
        signal,
        waitUntilReady: options.wait,
        readyTimeoutMs: options.timeout,
        onProgress: (progress) => view.progress(path, progress),
      });
      assets.set(path, asset);
      view.done(path, options.wait ? technicalText(asset) : asset.status);
    } catch (error) {
      if (!(error instanceof AssetFailedError)) throw error;
      failures.push(error.message);
      view.failed(path, error.asset.failure_code ?? 'failed');
    }
  }).finally(view.end);
  printUploaded(context, paths, assets);
  if (failures.length > 0) throw new Failure('notDelivered', 'asset_failed', failures.join(' '));
}

function printUploaded(
  { output }: Context,
  paths: readonly string[],
  assets: ReadonlyMap<string, Asset>,
): void {
  const data = paths.flatMap((path) => assets.get(path) ?? []);
  output.result({ data }, () => {
    output.line();
    for (const asset of data) output.line(`${asset.id}  ${asset.file_name}`);
    const [audio, artwork] = (['audio', 'artwork'] as const).map((type) =>
      data.find((asset) => asset.type === type),
    );
    output.next(
      ...(audio === undefined ? [] : [`tonearm tracks create --audio ${audio.id} --release …`]),
      ...(artwork === undefined ? [] : [`tonearm releases update rel_… --artwork ${artwork.id}`]),
    );
  });
}

function printAsset({ output }: Context, asset: Asset): void {
  output.result(asset, () =>
    printFields(output, [
      ['Asset', asset.id],
      ['File', asset.file_name],
      ['Size', sizeText(asset.size_bytes)],
      ['Status', statusText(asset.status)],
      ['Measured', technicalText(asset)],
      ['Problem', asset.failure_reason],
    ]),
  );
}

async function waitForAsset(context: Context, id: string, timeoutMs: number): Promise<void> {
  try {
    printAsset(
      context,
      await context.client().assets.waitFor(id, { signal: context.signal, timeoutMs }),
    );
  } catch (error) {
    if (error instanceof AssetFailedError) {
      printAsset(context, error.asset);
      throw new Failure('notDelivered', 'asset_failed', error.message, [
        'upload a corrected file: tonearm assets upload FILE',
      ]);
    }
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw new Failure(
      'waitTimeout',
      'wait_timeout',
      `${id} is not ready after ${timeoutMs / 1_000} s.`,
    );
  }
}

export function addAssetCommands(program: Command): void {
  const assets = program.command('assets').description('upload audio and artwork');
  runs<UploadOptions>(
    assets
      .command('upload')
      .argument('<files...>')
      .option('--no-wait', 'return when the files are sent, before they are examined')
      .option(
        '--timeout <time>',
        'how long to wait for the examination',
        parseTimeout,
        usualTimeoutMs,
      )
      .description('upload files: .wav, .flac, .m4a, .jpg, .png'),
    (context, paths, options) => uploadAll(context, paths, options),
  );
  runs<{ timeout: number }>(
    assets
      .command('wait')
      .argument('<asset>')
      .option('--timeout <time>', 'how long to wait', parseTimeout, usualTimeoutMs)
      .description('wait until a file is examined'),
    (context, [id = ''], { timeout }) => waitForAsset(context, id, timeout),
  );
  runs(
    assets.command('get').argument('<asset>').description('show an asset'),
    async (context, [id = '']) =>
      printAsset(context, await context.client().assets.get(id, { signal: context.signal })),
  );
}
