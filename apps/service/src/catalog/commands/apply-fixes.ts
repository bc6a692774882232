import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce, enforceAll, type Refusal } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { withFix } from '../domain/preflight/apply-fix.ts';
import type { Finding } from '../domain/preflight/finding.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import type { Fix, Subject } from '../domain/preflight/subject.ts';
import { edited, type Release, withTracks } from '../domain/release.ts';
import { refuseWhileReviewed } from '../domain/submission.ts';
import { lockRelease, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { updateTrack } from '../store/tracks.ts';
import { subjectAsItStands } from './find-subject.ts';
import { releaseNotFound } from './release-not-found.ts';

/** Contract §4: the patches offered for these findings, as one change. */
export async function applyFixes(
  tx: Tx,
  id: ReleaseId,
  findingIds: readonly string[],
): Promise<Release> {
  const release = await lockRelease(tx, id);
  if (release === undefined) throw releaseNotFound();
  enforce(refuseWhileReviewed(release.submission));
  const subject = await subjectAsItStands(tx, release);
  const wanted = new Set(findingIds);
  const { findings } = reportOn(subject, wanted);
  enforceAll(findingIds.map((finding, i) => refuseFinding(findings, finding, i)));
  const outcome = mended(subject, findings, wanted);
  enforceAll(findingIds.map((finding, i) => refuseUnmended(outcome.findings, finding, i)));
  return storeMended(tx, subject, outcome.subject);
}

/** All of them or none: what one of them undid for another is said, not passed over. */
function refuseUnmended(left: readonly Finding[], id: string, i: number): Refusal | undefined {
  if (left.every((finding) => finding.id !== id)) return undefined;
  const [field, issue] = [`finding_ids[${i}]`, 'cannot be mended together with the others'];
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
}

function refuseFinding(findings: readonly Finding[], id: string, i: number): Refusal | undefined {
  if (findings.some((finding) => finding.id === id && finding.fix !== undefined)) return undefined;
  const [field, issue] = [`finding_ids[${i}]`, 'is not a finding of this release with a fix'];
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
}

/** Applies what is wanted, round by round, until nothing wanted is left. */
function mended(
  subject: Subject,
  offered: readonly Finding[],
  wanted: ReadonlySet<string>,
): { readonly subject: Subject; readonly findings: readonly Finding[] } {
  let current = subject;
  let findings = offered;
  // Each round mends at least one.
  for (let round = 0; round < wanted.size; round++) {
    const fixes = findings.flatMap(({ id, fix }) => (wanted.has(id) && fix ? [fix] : []));
    const [first] = fixes;
    if (first === undefined) break;
    const known = new Set(findings.map(({ id }) => id));
    const together = reportOn(disjoint(fixes).reduce(withFix, current), wanted);
    // Each was verified alone. Where they get in each other's way, they come one by one.
    const isSound = together.findings.every(({ id }) => known.has(id));
    const next = isSound ? together : reportOn(withFix(current, first), wanted);
    current = next.subject;
    findings = next.findings;
  }
  return { subject: current, findings };
}

const reportOn = (subject: Subject, wanted: ReadonlySet<string>) => ({
  subject,
  findings: preflight(subject, (id) => wanted.has(id)).findings,
});

/** Those that touch no field an earlier one touches. */
function disjoint(fixes: readonly Fix[]): readonly Fix[] {
  const touched = new Set<string>();
  return fixes.filter((fix) => {
    const fields = fieldsOf(fix);
    if (fields.some((field) => touched.has(field))) return false;
    for (const field of fields) touched.add(field);
    return true;
  });
}

const fieldsOf = ({ release = {}, tracks = {} }: Fix): readonly string[] => [
  ...Object.keys(release),
  ...Object.entries(tracks).flatMap(([id, edit]) =>
    Object.keys(edit).map((field) => `${id}/${field}`),
  ),
];

/** One revision, whatever was mended. */
function storeMended(tx: Tx, before: Subject, after: Subject): Release {
  // What no fix touched is still the same object.
  const tracks = after.tracks.filter((track, i) => track !== before.tracks[i]);
  const { next, changed } = edited(before.release, after.release, tx.now);
  if (changed.length + tracks.length === 0) return before.release;
  const { trackCount } = before.release;
  const revised = changed.length > 0 ? next : withTracks(before.release, trackCount, tx.now);
  for (const track of tracks) updateTrack(tx, { ...track, updatedAt: revised.updatedAt });
  updateRelease(tx, revised);
  insertRevision(tx, revised, tracks.length > 0 ? [...changed, 'tracks'] : changed);
  return revised;
}
