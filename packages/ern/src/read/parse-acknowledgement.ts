/**
 * What a store answers: AcknowledgementMessage of the choreography's version 18, and FtpAcknowledgementMessage of 16.
 * Real stores send documents that no schema accepts: another namespace or none, elements in another order, other
 * letter case, statuses that are not in DDEX's list. Nothing but the form of XML is required here; every value is taken
 * where it is found, and a status that is not DDEX's is passed on as text.
 */

import type { ReleaseIds } from '../model.ts';
import { type FileStatus, fileStatuses } from './finding.ts';
import { toBoolean } from './values.ts';
import { tokenOf, type XmlElement, type XmlRoot } from './xml-tree.ts';

/** DDEX's SupplyChainStatus, as far as stores send it. */
export const releaseStatuses = [
  'DeliveredToReleaseDistributor',
  'ProcessingErrorAtReleaseDistributor',
  'ReleaseMadeAvailableToConsumers',
  'ReleaseNotAvailable',
  'ReleaseReceivedByReleaseDistributor',
  'ReleaseStagedForPublication',
  'ReleaseViolatesTermsOfService',
  'RightsConflict',
  'SuccessfullyIngestedByReleaseDistributor',
] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

/** DDEX's ErncProposedActionType. */
export const proposedActions = [
  'DoNotResendAffectedResource',
  'DoNotResendRelease',
  'ResendXmlOnly',
  'ResendXmlAndResources',
] as const;
export type ProposedAction = (typeof proposedActions)[number];

/** One of DDEX's values if the store uses one, and always the text that it sent. */
export type Reported<T extends string> = { readonly value: T | undefined; readonly text: string };

/** What the store says about one message of ours. */
export type AcknowledgedMessage = {
  readonly messageId: string | undefined;
  readonly batchId: string | undefined;
  readonly fileStatuses: readonly (Reported<FileStatus> & { readonly information?: string })[];
};

/** What the store says about one release. */
export type ReleaseAcknowledgement = {
  readonly releaseIds: ReleaseIds;
  /** Version 16 has none. */
  readonly releaseStatus: Reported<ReleaseStatus> | undefined;
  readonly errorTexts: readonly string[];
  readonly proposedAction: Reported<ProposedAction> | undefined;
  readonly isManualCheckRequired: boolean;
  /** ISRCs and other ids of the resources in question. */
  readonly affectedResources: readonly string[];
  readonly messages: readonly AcknowledgedMessage[];
};

export type Acknowledgement = {
  /** Of the acknowledgement itself. */
  readonly messageId: string | undefined;
  readonly threadId: string | undefined;
  readonly createdAt: string | undefined;
  readonly senderDpid: string | undefined;
  readonly releases: readonly ReleaseAcknowledgement[];
};

/** A store that reports more has no reason to. */
const textLengthMax = 2000;
const listLengthMax = 1000;

/** Undefined if the document is no acknowledgement. */
export function parseAcknowledgement(root: XmlRoot): Acknowledgement | undefined {
  if (!/acknowledge?ment(?:message)?$/i.test(root.name)) {
    return undefined;
  }
  const header = find(root, 'MessageHeader');
  return {
    messageId: textIn(header, 'MessageId'),
    threadId: textIn(header, 'MessageThreadId'),
    createdAt: textIn(header, 'MessageCreatedDateTime'),
    senderDpid: textIn(find(header, 'MessageSender'), 'PartyId'),
    releases: releasesOf(root),
  };
}

/** In version 18 each ReleaseStatus with children is about a release; in 16 the whole document is about one. */
function releasesOf(root: XmlElement): readonly ReleaseAcknowledgement[] {
  const releases = findAll(root, 'ReleaseStatus').filter(({ children }) => children.length > 0);
  return (releases.length === 0 ? [root] : releases).map(readRelease);
}

function readRelease(release: XmlElement): ReleaseAcknowledgement {
  const acknowledged = [
    ...findAll(release, 'Acknowledgement'),
    ...findAll(release, 'AcknowledgedFile'),
  ];
  const messages = (acknowledged.length === 0 ? [release] : acknowledged).map((message) =>
    readMessage(message, release),
  );
  return {
    releaseIds: readIds(find(release, 'ReleaseId') ?? find(acknowledged[0], 'ReleaseId')),
    releaseStatus: reported(releaseStatuses, find(release, 'ReleaseStatus')),
    errorTexts: findAll(release, 'ErrorText').flatMap((text) => clean(text) ?? []),
    proposedAction: reported(proposedActions, find(release, 'ProposedActionType')),
    isManualCheckRequired:
      toBoolean(textIn(release, 'ManualCheckRequired')?.toLowerCase()) === true,
    affectedResources: findAll(release, 'AffectedResource').flatMap(idsIn),
    messages,
  };
}

function readMessage(message: XmlElement, release: XmlElement): AcknowledgedMessage {
  const statuses = [
    ...findAll(message, 'MessageStatus'),
    ...findAll(message, 'FileStatus'),
    ...(message === release ? [] : findAll(release, 'FileStatus')),
  ];
  return {
    messageId: textIn(message, 'MessageId'),
    batchId: textIn(message, 'BatchId'),
    fileStatuses: statuses.flatMap((status) => {
      const own = reported(fileStatuses, find(status, 'Status') ?? status);
      const information = textIn(status, 'Information');
      return own === undefined
        ? []
        : [{ ...own, ...(information !== undefined && { information }) }];
    }),
  };
}

/** Version 16 has the id as text; some stores send a bare UPC, or put it into an element of their own. */
function readIds(id: XmlElement | undefined): ReleaseIds {
  if (id === undefined) {
    return {};
  }
  const grid = textIn(id, 'GRid');
  const icpn = textIn(id, 'ICPN') ?? textIn(id, 'UPC') ?? textIn(id, 'EAN') ?? bareIcpn(id);
  const proprietaryIds = findAll(id, 'ProprietaryId').flatMap((own) => {
    const value = clean(own);
    return value === undefined ? [] : [{ namespace: own.attributes.get('Namespace') ?? '', value }];
  });
  return {
    ...(grid !== undefined && { grid }),
    ...(icpn !== undefined && { icpn }),
    ...(proprietaryIds.length > 0 && { proprietaryIds }),
  };
}

function bareIcpn(id: XmlElement): string | undefined {
  const text = clean(id);
  return text !== undefined && /^\d{8,14}$/.test(text) ? text : undefined;
}

function idsIn(resource: XmlElement): readonly string[] {
  const ids = resource.children.flatMap((id) => clean(id) ?? []);
  return ids.length > 0 ? ids : [clean(resource) ?? []].flat();
}

function reported<T extends string>(
  values: readonly T[],
  element: XmlElement | undefined,
): Reported<T> | undefined {
  // A value of the store's own is an attribute beside the word UserDefined.
  const text = element && (element.attributes.get('UserDefinedValue') ?? clean(element));
  return text === undefined
    ? undefined
    : {
        value: values.find((value) => isSameWord(value, text)),
        text: text.slice(0, textLengthMax),
      };
}

const isSameWord = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase();

/** Children by name in any letter case. */
function findAll(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return (element?.children ?? [])
    .filter((child) => isSameWord(child.name, name))
    .slice(0, listLengthMax);
}

function find(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return findAll(element, name)[0];
}

function textIn(element: XmlElement | undefined, name: string): string | undefined {
  return clean(find(element, name));
}

const clean = (element: XmlElement | undefined): string | undefined =>
  tokenOf(element)?.slice(0, textLengthMax);
