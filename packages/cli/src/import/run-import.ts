/** Carries a plan out: the draft, the files, the tracks, the cover. Each step is skipped if an earlier run has done it. */

import { ApiError, type CreateRelease, type CreateTrack, type UpdateRelease } from '@tonearm/sdk';
import { bringFiles } from './bring-files.ts';
import { type ImportRun, keep } from './import-run.ts';
import { digestOf, stateFailure, stepKey, beginState, writeState } from './import-state.ts';
import type { PlannedTrack } from './plan.ts';

export type Imported = {
  readonly releaseId: string;
  readonly trackIds: readonly string[];
  readonly notes: readonly string[];
};

/** Of the API's bulk request. */
const tracksAtOnce = 100;

/** What cannot be changed after a release or a track exists. */
const withoutFixedCode = (fields: Record<string, unknown>, code: string) => {
  const { [code]: _, ...others } = fields;
  return others;
};

async function bringRelease(run: ImportRun): Promise<string> {
  const { client, plan, state, signal } = run;
  const digest = digestOf(plan.release);
  if (state.release_id === undefined) {
    const idempotencyKey = stepKey(state, 'release');
    const sent = client.releases.create(plan.release as CreateRelease, { signal, idempotencyKey });
    const created: { id: string; isOld?: boolean } = await sent.catch((error: unknown) =>
      createdBefore(run, idempotencyKey, error),
    );
    keep(run, { release_id: created.id, release_digest: created.isOld === true ? '' : digest });
    if (created.isOld !== true) return created.id;
  }
  return updateRelease(run, digest);
}

/** The sheet was changed after a run died between its request and its note of the answer: the draft is there already. */
async function createdBefore(
  { client, statePath, signal }: ImportRun,
  key: string,
  error: unknown,
) {
  if (!(error instanceof ApiError) || error.code !== 'idempotency_key_reused') throw error;
  const stored = await client.idempotencyKeys.get(key, { signal });
  if (!stored.made_by_this_credential) {
    throw stateFailure(
      statePath,
      'The release of this import was created with another API key of your organization.',
      'Use that key.',
    );
  }
  const { body } = stored;
  return { id: (body as { readonly id: string }).id, isOld: true };
}

async function updateRelease(run: ImportRun, digest: string): Promise<string> {
  const { client, plan, signal } = run;
  const { release_id: releaseId = '', release_digest: known } = run.state;
  await run.confirmChange(releaseId);
  if (known === digest) return releaseId;
  const changed = withoutFixedCode(plan.release, 'upc') as UpdateRelease;
  await client.releases.update(releaseId, changed, { signal });
  keep(run, { release_digest: digest });
  run.notes.push(`${releaseId} was changed to what the sheet says now.`);
  return releaseId;
}

type ReadyTrack = {
  readonly key: string;
  readonly fields: Record<string, unknown>;
  readonly digest: string;
};

function readyTrack(
  { key, file, fields }: PlannedTrack,
  assetIds: ReadonlyMap<string, string>,
): ReadyTrack {
  const complete = { ...fields, audio_asset_id: assetIds.get(file?.path ?? '') };
  return { key, fields: complete, digest: digestOf(complete) };
}

async function createTracks(
  run: ImportRun,
  releaseId: string,
  tracks: readonly ReadyTrack[],
): Promise<void> {
  const { client, signal } = run;
  for (let from = 0; from < tracks.length; from += tracksAtOnce) {
    const some = tracks.slice(from, from + tracksAtOnce);
    const { data } = await client.tracks.createMany(
      {
        tracks: some.map(({ fields }) => ({
          ...(fields as Omit<CreateTrack, 'release_id'>),
          release_id: releaseId,
        })),
      },
      { signal },
    );
    const created = Object.fromEntries(
      some.map(({ key, digest }, index) => [key, { id: data[index]?.id ?? '', digest }]),
    );
    keep(run, { tracks: { ...run.state.tracks, ...created } });
  }
}

/** Tracks that an earlier run created, but could not write down any more: they have the audio of a track of the sheet. */
async function adoptTracks(
  run: ImportRun,
  releaseId: string,
  tracks: readonly ReadyTrack[],
): Promise<void> {
  const existing = await run.client.releases
    .listTracks(releaseId, { limit: 100 }, { signal: run.signal })
    .toArray();
  const known = new Set(Object.values(run.state.tracks).map(({ id }) => id));
  const unknown = existing.filter(({ id }) => !known.has(id));
  for (const { key, fields } of tracks) {
    if (run.state.tracks[key] !== undefined) continue;
    const index = unknown.findIndex((track) => track.audio_asset_id === fields['audio_asset_id']);
    const [found] = index === -1 ? [] : unknown.splice(index, 1);
    if (found !== undefined)
      keep(run, { tracks: { ...run.state.tracks, [key]: { id: found.id, digest: '' } } });
  }
}

async function updateTracks(run: ImportRun, tracks: readonly ReadyTrack[]): Promise<void> {
  for (const { key, fields, digest } of tracks) {
    const known = run.state.tracks[key];
    if (known === undefined || known.digest === digest) continue;
    await run.client.tracks.update(known.id, withoutFixedCode(fields, 'isrc'), {
      signal: run.signal,
    });
    keep(run, { tracks: { ...run.state.tracks, [key]: { id: known.id, digest } } });
    run.notes.push(`${known.id} was changed to what the sheet says now.`);
  }
}

function noteForgottenTracks(run: ImportRun, tracks: readonly ReadyTrack[]): void {
  for (const [key, { id }] of Object.entries(run.state.tracks)) {
    if (tracks.some((track) => track.key === key)) continue;
    run.notes.push(
      `${key} is no longer in the sheet. Its track stays: tonearm delete /v1/tracks/${id}`,
    );
  }
}

export async function runImport(begun: Omit<ImportRun, 'notes'>): Promise<Imported> {
  const run: ImportRun = { ...begun, notes: [] };
  const { client, plan, signal } = run;
  // The id of the import is on the disk before anything is sent.
  if (run.isContinued) writeState(run.statePath, run.state);
  else beginState(run.statePath, run.state);
  const releaseId = await bringRelease(run);
  const assetIds = await bringFiles(run);
  const tracks = plan.tracks.map((track) => readyTrack(track, assetIds));
  if (run.isContinued) await adoptTracks(run, releaseId, tracks);
  await updateTracks(run, tracks);
  await createTracks(
    run,
    releaseId,
    tracks.filter(({ key }) => run.state.tracks[key] === undefined),
  );
  noteForgottenTracks(run, tracks);
  const cover = assetIds.get(plan.cover?.path ?? '');
  const release = await client.releases.get(releaseId, { signal });
  if (cover !== undefined && release.artwork_asset_id !== cover) {
    await client.releases.update(releaseId, { artwork_asset_id: cover }, { signal });
  }
  const trackIds = tracks.flatMap(({ key }) => run.state.tracks[key]?.id ?? []);
  return { releaseId, trackIds, notes: run.notes };
}
