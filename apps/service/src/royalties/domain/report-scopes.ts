/** What a report is about: its days and its scopes. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { type OpenReport, rejection, type RowContext } from './report-layout.ts';
import type { ReportScope } from './report.ts';

type Contexts = Pick<OpenReport, 'period' | 'scopes'> & {
  readonly contexts: readonly { readonly context: RowContext }[];
};

/** Throws `ReportRejected` if no row has a date. */
export function periodOfReport({ period, contexts }: Contexts): {
  readonly start: CalendarDate;
  readonly end: CalendarDate;
} {
  if (period !== null) return period;
  const dated = datedContexts(contexts);
  const [start] = dated.map(({ periodStart }) => periodStart).toSorted();
  const end = dated
    .map(({ periodEnd }) => periodEnd)
    .toSorted()
    .at(-1);
  if (start === undefined || end === undefined) {
    throw rejection(
      'unreadable_file',
      'No row of the report has a period that can be read. Check the format of the files.',
    );
  }
  return { start, end };
}

/** Those that the report declares, else those of its rows; each once. */
export function scopesOfReport({ scopes, contexts }: Contexts): readonly ReportScope[] {
  const found = scopes.length > 0 ? scopes : datedContexts(contexts).map(toScope);
  return [...new Map(found.map((scope) => [JSON.stringify(scope), scope])).values()];
}

const datedContexts = (contexts: Contexts['contexts']): readonly RowContext[] =>
  contexts
    .map(({ context }) => context)
    .filter((context) => context.rejection === null || context.rejection === 'unknown_use_type');

const toScope = (context: RowContext): ReportScope => ({
  service: context.service,
  territory: context.territory,
  commercialModel: context.commercialModel,
  useType: context.scopeUseType,
  periodStart: context.periodStart,
  periodEnd: context.periodEnd,
});
