/** Preflight beside the event loop: a release of the largest size takes hundreds of milliseconds to judge. */
import type { OrgId } from '../../kernel/ids.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import type { Report } from '../domain/preflight/finding.ts';
import { type Mending, mend } from '../domain/preflight/mend.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import { presentReport } from '../domain/preflight/report-resource.ts';
import type { Subject } from '../domain/preflight/subject.ts';
import { contentBytesOf } from '../domain/release-size.ts';

const inThread = createThreads(new URL('./preflight-thread.ts', import.meta.url));

/** Judging takes up to 10 ms for so many bytes, which is less than handing them to a thread is worth. */
const inlineBytesMax = 32 * 1024;

/** Without fixes: looking for them takes most of a report's time. */
export async function judge(orgId: OrgId, subject: Subject): Promise<Report> {
  if (isSmall(subject)) return preflight(subject, () => false);
  // The thread runs the function of this name, whose types are known here.
  return (await inThread(orgId, 'judge', subject)) as Report;
}

/** With fixes, as JSON: a report may be larger than its release. */
export async function reportText(orgId: OrgId, subject: Subject): Promise<string> {
  if (isSmall(subject)) return JSON.stringify(presentReport(subject, preflight(subject)));
  return (await inThread(orgId, 'reportText', subject)) as string;
}

export async function mendFindings(
  orgId: OrgId,
  subject: Subject,
  findingIds: readonly string[],
): Promise<Mending> {
  if (isSmall(subject)) return mend(subject, findingIds);
  return (await inThread(orgId, 'mendFindings', { subject, findingIds })) as Mending;
}

function isSmall({ release, tracks }: Subject): boolean {
  let bytes = contentBytesOf(release);
  return tracks.every((track) => (bytes += contentBytesOf(track)) <= inlineBytesMax);
}
