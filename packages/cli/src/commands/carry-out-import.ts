/** Carries an import out for a person: progress bars, and a question before a release that exists is changed. */

import { ApiError } from '@tonearm/sdk';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import type { ImportRun } from '../import/import-run.ts';
import { openState, stateFailure, type StoredImport } from '../import/import-state.ts';
import type { Plan } from '../import/plan.ts';
import { type Imported, runImport } from '../import/run-import.ts';
import { safeText } from '../output/safe-text.ts';
import { technicalText } from './assets.ts';
import { createUploadView, type UploadView } from './upload-view.ts';

/** How far the import of this folder into this organization has come. */
export async function findImport(
  { client, settings, signal }: Context,
  { folder }: Plan,
): Promise<StoredImport> {
  const { id: organization } = await client().organization.get({ signal });
  return openState(process.env, { api_url: settings.apiUrl, organization, folder });
}

/** The bars begin with the first file, after every question. */
function createLazyView(
  { output }: Context,
  { tracks, cover }: Plan,
): ImportRun['view'] & { readonly end: () => void } {
  const files = [
    ...tracks.flatMap(({ file }) => file ?? []),
    ...(cover === undefined ? [] : [cover]),
  ];
  let opened: UploadView | undefined;
  const view = (): UploadView => (opened ??= createUploadView(output, files));
  return {
    progress: (name, progress) => view().progress(name, progress),
    done: (name, asset) => view().done(name, technicalText(asset)),
    end: () => opened?.end(),
  };
}

/** Names the release: the person may have forgotten that the folder was imported before. */
async function confirmChange(context: Context, statePath: string, releaseId: string) {
  const { client, flags, output, signal } = context;
  const { title } = await client()
    .releases.get(releaseId, { signal })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      throw stateFailure(statePath, `${releaseId}, the release of this import, was deleted.`);
    });
  const before = `This folder was imported before, as ${releaseId}, ${JSON.stringify(safeText(title))}.`;
  if (flags.yes === true) output.note(`${before} The import changes it to what the folder has.`);
  else await confirm(context, `${before} Change it to what the folder has?`);
}

export async function carryOut(
  context: Context,
  plan: Plan,
  stored: StoredImport,
): Promise<Imported> {
  const view = createLazyView(context, plan);
  try {
    return await runImport({
      ...stored,
      client: context.client(),
      plan,
      view,
      signal: context.signal,
      confirmChange: (releaseId) => confirmChange(context, stored.statePath, releaseId),
    });
  } catch (error) {
    // A failure of this program says what to do itself.
    if (!(error instanceof Failure)) {
      context.output.note(
        'The import did not end. Run the same command again: it continues where it stopped.',
      );
    }
    throw error;
  } finally {
    view.end();
  }
}
