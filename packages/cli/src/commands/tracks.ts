/** `tracks create|bulk|update|list` */

import type { CreateTrack, CreateTracks, Track, UpdateTrack } from '@tonearm/sdk';
import type { Command } from 'commander';
import { type BodyOptions, addBodyOptions, readBody } from '../body.ts';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { printFields } from '../output/fields.ts';
import { lengthText } from '../output/units.ts';

const columns = [
  { title: 'Track' },
  { title: 'No', align: 'right' },
  { title: 'Title', shrinksTo: 10 },
  { title: 'ISRC', leaveOut: 1 },
  { title: 'Length', align: 'right', leaveOut: 2 },
] as const;

const placeText = ({ disc, position }: Track): string =>
  disc === 1 ? String(position) : `${disc}-${position}`;

const row = (track: Track): string[] => [
  track.id,
  placeText(track),
  track.title,
  track.isrc,
  track.duration_ms === null ? '' : lengthText(track.duration_ms),
];

function printTrack({ output }: Context, track: Track): void {
  output.result(track, () => {
    printFields(output, [
      ['Track', track.id],
      ['Title', track.title],
      ['Place', placeText(track)],
      ['ISRC', track.isrc],
      ['Audio', track.audio_asset_id ?? '(none yet)'],
      ['Release', track.release_id],
    ]);
    output.next(`tonearm releases validate ${track.release_id}`);
  });
}

type TrackOptions = BodyOptions & {
  readonly title?: string;
  readonly audio?: string;
  readonly release?: string;
};

const addTrackOptions = (command: Command): Command =>
  addBodyOptions(command)
    .option('--title <text>', 'the title as stores show it')
    .option('--audio <asset>', 'the id of an asset with the audio');

const bodyOf = (options: TrackOptions) =>
  readBody(options, {
    release_id: options.release,
    title: options.title,
    audio_asset_id: options.audio,
  });

export function addTrackCommands(program: Command): void {
  const tracks = program.command('tracks').description('add tracks to releases and change them');
  runs<TrackOptions>(
    addTrackOptions(tracks.command('create').description('add a track to a release')).option(
      '--release <release>',
      'the release',
    ),
    async (context, _, options) => {
      const body = (await bodyOf(options)) as CreateTrack;
      printTrack(context, await context.client().tracks.create(body, { signal: context.signal }));
    },
  );
  runs<BodyOptions>(
    addBodyOptions(
      tracks.command('bulk').description('create up to 100 tracks, all or none: {"tracks": […]}'),
    ),
    async (context, _, options) => {
      const body = (await readBody(options)) as CreateTracks;
      const { data } = await context.client().tracks.createMany(body, { signal: context.signal });
      printList(
        context,
        { data, has_more: false },
        { columns, row, ifEmpty: 'Nothing was created.' },
      );
    },
  );
  runs<TrackOptions>(
    addTrackOptions(
      tracks.command('update').argument('<track>').description('change fields of a track'),
    ),
    async (context, [id = ''], options) => {
      const body = (await bodyOf(options)) as UpdateTrack;
      printTrack(
        context,
        await context.client().tracks.update(id, body, { signal: context.signal }),
      );
    },
  );
  runs<ListOptions>(
    addListOptions(
      tracks.command('list').argument('<release>').description('list the tracks of a release'),
    ),
    async (context, [id = ''], options) => {
      const pager = context
        .client()
        .releases.listTracks(id, { limit: pageSize(options) }, { signal: context.signal });
      printList(context, await readList(pager, options), {
        columns,
        row,
        ifEmpty: 'The release has no track yet.',
      });
    },
  );
}
