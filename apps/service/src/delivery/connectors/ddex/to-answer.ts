/** What a store's report means for our states. */

import type { Confirmation } from '../../../network/face.ts';
import type { AnswerContent, ReceivedRejection } from '../../domain/answer.ts';
import type { Batch } from '../../domain/batch.ts';
import type { ReleaseReport } from './read-reports.ts';

type Received = AnswerContent<ReceivedRejection>;
type Meaning = 'receipt' | 'progress' | 'live' | 'failure' | 'action' | 'unknown';

const meanings: Readonly<Record<string, Meaning>> = {
  DeliveredToReleaseDistributor: 'receipt',
  ReleaseReceivedByReleaseDistributor: 'receipt',
  SuccessfullyIngestedByReleaseDistributor: 'progress',
  ReleaseStagedForPublication: 'progress',
  ReleaseMadeAvailableToConsumers: 'live',
  ProcessingErrorAtReleaseDistributor: 'failure',
  RightsConflict: 'action',
  ReleaseViolatesTermsOfService: 'action',
};

const okay = 'FileOK';

/** Version 16 of the choreography has no status of the release: then the files decide. */
function meaningOf({ status, fileStatuses, isManualCheckRequired }: ReleaseReport): Meaning {
  const bad = fileStatuses.some((word) => word !== okay);
  const meaning =
    status === null
      ? bad
        ? 'failure'
        : fileStatuses.length > 0
          ? 'progress'
          : 'unknown'
      : (meanings[status] ?? 'unknown');
  return isManualCheckRequired && meaning !== 'failure' ? 'action' : meaning;
}

/**
 * Undefined if the report says nothing that changes a state. `kind` is that of the message; undefined if the report
 * names only the release.
 */
export function toAnswer(
  report: ReleaseReport,
  kind: Batch['kind'] | undefined,
  confirmation: Confirmation,
): Received | undefined {
  const rejection = toRejection(report);
  const isTakedown = kind === 'takedown';
  switch (meaningOf(report)) {
    case 'failure':
      return { kind: isTakedown ? 'removal_refused' : 'rejected', rejection };
    case 'action':
      return { kind: isTakedown ? 'removal_refused' : 'action_required', rejection };
    case 'live':
      // There is no word for "taken down": success of the takedown's message confirms it.
      return isTakedown ? { kind: 'removed' } : { kind: 'delivered', url: null };
    case 'progress':
      return isTakedown ? { kind: 'removed' } : { kind: 'acknowledged' };
    case 'receipt':
      // At a store that confirms only what it has ingested, a receipt is not that yet.
      return confirmation === 'ingest' ? undefined : { kind: 'acknowledged' };
    default:
      return undefined;
  }
}

const toRejection = ({ status, fileStatuses, reason }: ReleaseReport): ReceivedRejection => ({
  code: fileStatuses.find((word) => word !== okay) ?? status,
  reason: reason ?? '',
});

const keepsFiles = 'ResendXmlOnly';

/** The assets that the store has afterwards; undefined if the report does not say otherwise than the batch. */
export function heldAfter(
  report: ReleaseReport,
  answer: Received | undefined,
): readonly string[] | undefined {
  switch (answer?.kind) {
    case 'removed':
      return [];
    case 'rejected':
    case 'action_required':
      return report.proposedAction === keepsFiles ? undefined : [];
    default:
      return undefined;
  }
}
