/** What a store's acknowledgement says about each release, in the words of DDEX where the store uses them. */

import { parseAcknowledgement, type ReleaseAcknowledgement, readXml } from '@tonearm/ern';

export type ReleaseReport = {
  /** As the store writes them; perhaps not ours. */
  readonly messageIds: readonly string[];
  readonly productCode: string | null;
  /** `ReleaseMadeAvailableToConsumers`, or the store's own word. */
  readonly status: string | null;
  /** ErncFileStatus of our messages, `FileOK` among them. */
  readonly fileStatuses: readonly string[];
  readonly reason: string | null;
  /** ErncProposedActionType: whether the store wants the files again. */
  readonly proposedAction: string | null;
  readonly isManualCheckRequired: boolean;
};

/** A batch has one release; a file that names more than this is not about one. */
const reportsMax = 100;
/** A release has few messages and few files whose statuses differ; a hostile file must not fill a row. */
const messagesMax = 20;
const statusesMax = 20;
const wordMax = 200;
const codeMax = 14;

export const acknowledgementLimits = { bytesMax: 1_048_576, tokensMax: 20_000, depthMax: 64 };

/** Undefined if the file is no acknowledgement. Throws `XmlRefused` for hostile or broken XML. */
export function readReports(xml: Buffer): readonly ReleaseReport[] | undefined {
  const acknowledgement = parseAcknowledgement(readXml(xml, acknowledgementLimits));
  return acknowledgement?.releases.slice(0, reportsMax).map(toReport);
}

const wordOf = (
  reported: { readonly value: string | undefined; readonly text: string } | undefined,
): string | null =>
  // A half of a pair of surrogates, which a cut may leave, is not valid in JSON of PostgreSQL.
  reported === undefined
    ? null
    : (reported.value ?? reported.text).slice(0, wordMax).toWellFormed();

/** No code is longer; what is longer is none. */
function codeOf(icpn: string | undefined): string | null {
  const digits = icpn?.replace(/\D/g, '') ?? '';
  return digits === '' || digits.length > codeMax ? null : digits;
}

function toReport(release: ReleaseAcknowledgement): ReleaseReport {
  const { releaseIds, releaseStatus, errorTexts, proposedAction, messages } = release;
  const statuses = messages.flatMap(({ fileStatuses }) => fileStatuses);
  const information = statuses.flatMap((status) => status.information ?? []);
  const reasons = [...new Set([...errorTexts, ...information])];
  return {
    messageIds: messages.flatMap(({ messageId }) => messageId ?? []).slice(0, messagesMax),
    productCode: codeOf(releaseIds.icpn),
    status: wordOf(releaseStatus),
    // Each word once: ten thousand files may have the same one.
    fileStatuses: [...new Set(statuses.flatMap((status) => wordOf(status) ?? []))].slice(
      0,
      statusesMax,
    ),
    reason: reasons.length === 0 ? null : reasons.join(' '),
    proposedAction: wordOf(proposedAction),
    isManualCheckRequired: release.isManualCheckRequired,
  };
}
