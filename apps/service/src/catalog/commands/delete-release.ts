import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseDelete, type Release, releaseNotFound } from '../domain/release.ts';
import { lockRelease, removeRelease } from '../store/releases.ts';

/** Only a draft (contract §4). Returns the deleted release. */
export async function deleteRelease(tx: Tx, id: ReleaseId): Promise<Release> {
  const release = await lockRelease(tx, id);
  if (release === undefined) throw releaseNotFound();
  enforce(refuseDelete(release));
  removeRelease(tx, id);
  return release;
}
