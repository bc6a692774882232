/** The reporting status of stores on the wire (contract §4). */

import { Type } from 'typebox';
import {
  closed,
  DateText,
  mayGrow,
  OneOf,
  PageOf,
  pageQuery,
  patterned,
} from '../../platform/http/schema.ts';
import { reportingStates } from '../domain/reporting-status.ts';

const storeId = Type.String({
  maxLength: 50,
  description: 'The `store_id` of a store.',
  examples: ['aurora'],
});
const usageMonth = Type.String({
  ...patterned('^[1-9]\\d{3}-(0[1-9]|1[0-2])$', 'a month'),
  description: 'The month in which the music was used.',
  examples: ['2026-09'],
});
const states = `\`not_due\`: the month has not ended. \`awaited\`: the store will report it. \`late\`: the store should have reported it. \`reported\`: the store has reported it. \`paid\`: the store has also paid for it. \`included\`: it is in published statements.`;

export const ReportingStatusQuery = Type.Object(
  {
    store_id: Type.Optional(storeId),
    usage_month: Type.Optional(usageMonth),
    state: Type.Optional(
      OneOf(reportingStates, { description: `Only months in this state. ${states}` }),
    ),
    ...pageQuery,
  },
  closed,
);

const ReportingStatusBody = Type.Object(
  {
    store_id: storeId,
    usage_month: usageMonth,
    state: OneOf(reportingStates, { description: `${states} ${mayGrow}` }),
    expected_by: DateText(
      'The day by which the store reports the month. After it, a month without a report is `late`.',
      '2026-11-14',
    ),
  },
  { ...closed, title: 'ReportingStatus' },
);

export const ReportingStatusPage = PageOf('ReportingStatusPage', ReportingStatusBody);
