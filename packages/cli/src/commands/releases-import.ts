/** `releases import ./album`: a folder of audio, a cover and a sheet becomes a draft. It shows what it will do first. */

import type { Command } from 'commander';
import { runs } from '../command.ts';
import { confirm, isInteractive } from '../confirm.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type Plan, planImport } from '../import/plan.ts';
import { templateOf } from '../import/template.ts';
import { safeText } from '../output/safe-text.ts';
import { paintStatus, statusText, symbolOf } from '../output/status.ts';
import { wrap } from '../output/text-width.ts';
import { lengthText, sizeText } from '../output/units.ts';
import { carryOut, findImport } from './carry-out-import.ts';
import { printFindings } from './findings.ts';

type ImportOptions = {
  readonly sheet?: string;
  readonly dryRun?: boolean;
  readonly template?: boolean;
};

const namesOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((each: { readonly name?: string }) => each.name ?? '').join(', ')
    : '';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function printPlan({ output }: Context, plan: Plan): void {
  const { release, tracks, cover, problems } = plan;
  output.line(
    output.palette.strong(safeText(`${textOf(release['title'])} – ${namesOf(release['artists'])}`)),
  );
  output.line(
    safeText(
      `${textOf(release['release_date'])}, ${textOf(release['label']) || 'the default label'}, ${plan.sheetName}`,
    ),
  );
  output.line();
  output.table(
    [
      { title: 'No', align: 'right' },
      { title: 'Title', shrinksTo: 10 },
      { title: 'Artists', shrinksTo: 8, leaveOut: 2 },
      { title: 'ISRC', leaveOut: 1 },
      { title: 'File', shrinksTo: 8 },
      { title: 'Length', align: 'right' },
    ],
    tracks.map(({ fields, file, key }, index) => [
      String(index + 1),
      textOf(fields['title']),
      namesOf(fields['artists'] ?? release['artists']),
      textOf(fields['isrc']) || '(new)',
      key,
      file?.durationMs === undefined ? '' : lengthText(file.durationMs),
    ]),
  );
  const bytes = tracks.reduce(
    (sum, { file }) => sum + (file?.sizeBytes ?? 0),
    cover?.sizeBytes ?? 0,
  );
  output.line();
  output.line(
    `Cover ${safeText(cover?.name ?? '(none)')}, ${tracks.length} tracks, ${sizeText(bytes)} to upload.`,
  );
  for (const { where, problem } of problems) {
    const lines = wrap(safeText(`${symbolOf('error')} ${where}: ${problem}`), output.columns);
    for (const line of lines) output.line(paintStatus(output.palette, 'error', line));
  }
}

const planJson = ({ release, tracks, cover, problems }: Plan) => ({
  dry_run: true,
  release,
  cover: cover?.name ?? null,
  tracks: tracks.map(({ key, fields }) => ({ file: key, ...fields })),
  problems,
});

async function importFolder(
  context: Context,
  folder: string,
  options: ImportOptions,
): Promise<void> {
  const { output, flags, settings } = context;
  const plan = planImport(folder, options.sheet);
  printPlan(context, plan);
  if (plan.problems.length > 0) {
    output.result(planJson(plan), () => undefined);
    throw new Failure(
      'usage',
      'invalid_sheet',
      `${plan.problems.length} problems. Nothing was sent.`,
      ['correct the sheet and run the command again'],
    );
  }
  // Nobody can be asked: a folder that was not imported before is only checked.
  const isUnattended = flags.yes !== true && !isInteractive();
  const isOffline = options.dryRun === true || (isUnattended && settings.apiKey === undefined);
  const stored = isOffline ? undefined : await findImport(context, plan);
  if (stored === undefined || (isUnattended && stored.state.release_id === undefined)) {
    output.result(planJson(plan), () =>
      output.line(`${statusText('ok')}: nothing is wrong here. Nothing was sent.`),
    );
    output.next(`tonearm releases import ${folder} --yes`);
    return;
  }
  if (stored.state.release_id === undefined) {
    await confirm(context, 'Create this draft and upload its files?');
  }
  const { releaseId, trackIds, notes } = await carryOut(context, plan, stored);
  for (const note of notes) output.note(note);
  output.line();
  output.line(`${releaseId} is a draft with ${trackIds.length} tracks.`);
  output.line('What stores would say:');
  output.line();
  const report = await context.client().releases.validate(releaseId, { signal: context.signal });
  if (output.isJson) {
    output.result(
      { release_id: releaseId, track_ids: trackIds, findings: report.findings },
      () => undefined,
    );
  } else printFindings(context, report);
}

export const addImportCommand = (releases: Command): Command =>
  runs<ImportOptions>(
    releases
      .command('import')
      .argument('[folder]', 'audio files, a cover and a sheet (.csv or .json)', '.')
      .option('--sheet <file>', 'the sheet, if the folder has several')
      .option('--dry-run', 'only check the sheet and the files')
      .option('--template', 'print a sheet to begin with')
      .description('make a draft from a folder; run it again to continue'),
    async (context, [folder = '.'], options) => {
      if (options.template === true) process.stdout.write(templateOf(new Date()));
      else await importFolder(context, folder, options);
    },
  );
