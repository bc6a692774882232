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

export const acknowledgementLimits = { bytesMax: 1_048_576, tokensMax: 20_000, depthMax: 64 };

/** Undefined if the file is no acknowledgement. Throws `XmlRefused` for hostile or broken XML. */
export function readReports(xml: Buffer): readonly ReleaseReport[] | undefined {
  const acknowledgement = parseAcknowledgement(readXml(xml, acknowledgementLimits));
  return acknowledgement?.releases.slice(0, reportsMax).map(toReport);
}

const wordOf = (
  reported: { readonly value: string | undefined; readonly text: string } | undefined,
): string | null => (reported === undefined ? null : (reported.value ?? reported.text));

function toReport(release: ReleaseAcknowledgement): ReleaseReport {
  const { releaseIds, releaseStatus, errorTexts, proposedAction, messages } = release;
  const statuses = messages.flatMap(({ fileStatuses }) => fileStatuses);
  const information = statuses.flatMap((status) => status.information ?? []);
  const reasons = [...new Set([...errorTexts, ...information])];
  return {
    messageIds: messages.flatMap(({ messageId }) => messageId ?? []),
    productCode: releaseIds.icpn?.replace(/\D/g, '') ?? null,
    status: wordOf(releaseStatus),
    fileStatuses: statuses.flatMap((status) => wordOf(status) ?? []),
    reason: reasons.length === 0 ? null : reasons.join(' '),
    proposedAction: wordOf(proposedAction),
    isManualCheckRequired: release.isManualCheckRequired,
  };
}
