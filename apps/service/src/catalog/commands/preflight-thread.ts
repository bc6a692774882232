/** What the threads of judge.ts run. */
import { lowerThreadPriority } from '../../platform/threads/low-priority.ts';
import type { Report } from '../domain/preflight/finding.ts';
import { mend, type Mending } from '../domain/preflight/mend.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import { presentReport } from '../domain/preflight/report-resource.ts';
import type { Subject } from '../domain/preflight/subject.ts';

lowerThreadPriority();

export const judge = (subject: Subject): Report => preflight(subject, () => false);

export const reportText = (subject: Subject): string =>
  JSON.stringify(presentReport(subject, preflight(subject)));

export const mendFindings = (input: { subject: Subject; findingIds: readonly string[] }): Mending =>
  mend(input.subject, input.findingIds);
