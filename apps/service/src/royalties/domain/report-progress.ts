/** How far the reading of a report is, and when it may end. */

/** Of one stage, in the unit of the stage (bytes or rows). */
export type ReadingProgress = {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
};

export type ReportProgress = ReadingProgress & {
  /** When this stage began, in real time. */
  readonly startedAt: string;
  readonly at: string;
};

/** What the process that reads has sent; undefined if it is something else. */
export function parseProgress(sent: unknown): ReadingProgress | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const { stage, done, total } = sent as Record<string, unknown>;
  const isProgress =
    typeof stage === 'string' && typeof done === 'number' && typeof total === 'number';
  return isProgress ? { stage, done, total } : undefined;
}

export const progressAt = (
  previous: ReportProgress | undefined,
  reading: ReadingProgress,
  now: Date,
): ReportProgress => ({
  ...reading,
  startedAt: previous?.stage === reading.stage ? previous.startedAt : now.toISOString(),
  at: now.toISOString(),
});

/** Of this stage, at its speed so far; null while nothing is done. */
export function secondsLeft({ done, total, startedAt, at }: ReportProgress): number | null {
  if (done <= 0) return null;
  const elapsedSeconds = (Date.parse(at) - Date.parse(startedAt)) / 1_000;
  return Math.ceil((elapsedSeconds * Math.max(0, total - done)) / done);
}
