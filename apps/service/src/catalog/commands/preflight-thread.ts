/** What the threads of judge.ts run. */
import '../../platform/threads/low-priority.ts';
import type { Report } from '../domain/preflight/finding.ts';
import { mend, type Mending } from '../domain/preflight/mend.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import type { Subject } from '../domain/preflight/subject.ts';
import type { Mode } from './judge.ts';

export const judge = ({ subject, mode }: { subject: Subject; mode: Mode }): Report =>
  preflight(subject, () => mode === 'with fixes');

export const mendFindings = (input: { subject: Subject; findingIds: readonly string[] }): Mending =>
  mend(input.subject, input.findingIds);
