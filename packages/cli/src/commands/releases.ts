/** `releases create|list|get|update|validate|submit` */

import type { CreateRelease, ListReleasesQuery, Release, UpdateRelease } from '@tonearm/sdk';
import type { Command } from 'commander';
import { type BodyOptions, addBodyOptions, readBody } from '../body.ts';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { printFields } from '../output/fields.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { printFindings } from './findings.ts';
import { addImportCommand } from './releases-import.ts';

const artistsText = ({ artists }: Release): string => artists.map(({ name }) => name).join(', ');

const titleText = ({ title, version }: Release): string =>
  version === null ? title : `${title} (${version})`;

function nextSteps({ id, status, submission }: Release): string[] {
  if (status === 'draft')
    return [`tonearm releases validate ${id}`, `tonearm releases submit ${id}`];
  if (submission?.review_status === 'rejected') return [`tonearm releases validate ${id}`];
  return [`tonearm deliver ${id} --stores all --watch`];
}

function printRelease({ output }: Context, release: Release): void {
  output.result(release, () => {
    printFields(output, [
      ['Release', release.id],
      ['Title', titleText(release)],
      ['Artists', artistsText(release)],
      ['Status', statusText(release.status)],
      ['Review', release.submission?.review_status],
      ['Date', release.release_date],
      ['Label', release.label],
      ['UPC', release.upc],
      ['Tracks', release.track_count],
      ['Artwork', release.artwork_asset_id ?? '(none yet)'],
      ['Revision', release.revision],
    ]);
    output.next(...nextSteps(release));
  });
}

type ReleaseOptions = BodyOptions & {
  readonly title?: string;
  readonly artist?: string[];
  readonly releaseDate?: string;
  readonly label?: string;
  readonly artwork?: string;
};

const collect = (value: string, previous: string[] = []): string[] => [...previous, value];

const addReleaseOptions = (command: Command): Command =>
  addBodyOptions(command)
    .option('--title <text>', 'the title as stores show it')
    .option('--artist <name>', 'a main artist; can be repeated', collect)
    .option('--release-date <date>', 'YYYY-MM-DD')
    .option('--label <name>', 'the label; the default is that of the account');

const bodyOf = (options: ReleaseOptions) =>
  readBody(options, {
    title: options.title,
    artists: options.artist?.map((name) => ({ name, role: 'main' })),
    release_date: options.releaseDate,
    label: options.label,
    artwork_asset_id: options.artwork,
  });

async function validate(context: Context, id: string, fixes: boolean): Promise<void> {
  const { client, output, signal } = context;
  const report = await client().releases.validate(id, { signal });
  const fixable = report.findings
    .filter(({ patch }) => patch !== null)
    .map((finding) => finding.id);
  if (!fixes || fixable.length === 0) {
    printFindings(context, report);
    return;
  }
  await client().releases.applyFixes(id, { finding_ids: fixable }, { signal });
  output.line(`${fixable.length} findings are fixed, in a new revision.`);
  printFindings(context, await client().releases.validate(id, { signal }));
}

async function submit({ client, output, signal }: Context, id: string): Promise<void> {
  const submission = await client().releases.submit(id, { signal });
  output.result(submission, () => {
    output.line(
      `${id} is submitted (${submission.submission_id}); the review is ${submission.review_status}.`,
    );
    output.next(`tonearm deliver ${id} --stores all --watch`);
  });
}

const listColumns = [
  { title: 'Release' },
  { title: 'Title', shrinksTo: 10 },
  { title: 'Artists', shrinksTo: 8, leaveOut: 1 },
  { title: 'Date', leaveOut: 2 },
  { title: 'Status' },
];

async function list(context: Context, options: ListOptions & ListReleasesQuery): Promise<void> {
  const { client, output, signal } = context;
  const { status, label, upc, reference } = options;
  const query = { status, label, upc, reference, limit: pageSize(options) };
  const releases = await readList(
    client().releases.list(query as ListReleasesQuery, { signal }),
    options,
  );
  printList(context, releases, {
    columns: listColumns,
    row: (release) => [
      release.id,
      titleText(release),
      artistsText(release),
      release.release_date,
      {
        text: statusText(release.status),
        paint: (text) => paintStatus(output.palette, release.status, text),
      },
    ],
    ifEmpty: 'There is no release yet.',
    next: (items) =>
      items.length === 0
        ? ['tonearm releases import ./album', 'tonearm releases create --title …']
        : [],
  });
}

export function addReleaseCommands(program: Command): void {
  const releases = program.command('releases').description('create, check and submit releases');
  runs<ReleaseOptions>(
    addReleaseOptions(releases.command('create').description('create a draft')),
    async (context, _, options) => {
      const body = (await bodyOf(options)) as CreateRelease;
      printRelease(
        context,
        await context.client().releases.create(body, { signal: context.signal }),
      );
    },
  );
  runs<ListOptions & ListReleasesQuery>(
    addListOptions(releases.command('list').description('list releases, newest first'))
      .option('--status <status>', 'draft, submitted, delivered or rejected')
      .option('--label <name>', 'of this label')
      .option('--upc <upc>', 'with this UPC')
      .option('--reference <text>', 'with your own reference'),
    (context, _, options) => list(context, options),
  );
  runs(
    releases.command('get').argument('<release>').description('show a release'),
    async (context, [id = '']) => {
      printRelease(context, await context.client().releases.get(id, { signal: context.signal }));
    },
  );
  runs<ReleaseOptions>(
    addReleaseOptions(
      releases.command('update').argument('<release>').description('change fields of a release'),
    ).option('--artwork <asset>', 'the id of an asset with the cover'),
    async (context, [id = ''], options) => {
      const body = (await bodyOf(options)) as UpdateRelease;
      printRelease(
        context,
        await context.client().releases.update(id, body, { signal: context.signal }),
      );
    },
  );
  runs<{ fix?: boolean }>(
    releases
      .command('validate')
      .argument('<release>')
      .option('--fix', 'apply every fix that a finding offers')
      .description('show what stores would refuse'),
    (context, [id = ''], { fix }) => validate(context, id, fix === true),
  );
  runs(
    releases.command('submit').argument('<release>').description('submit a release for review'),
    (context, [id = '']) => submit(context, id),
  );
  addImportCommand(releases);
}
