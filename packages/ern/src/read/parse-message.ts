import type { ErnMessage, MessageHeader, PurgeReleaseMessage } from '../model.ts';
import { type ErnVersion, dialects, ernVersions } from '../write/dialects.ts';
import { readReleaseIds, readTitle } from './descriptions.ts';
import { ElementReader, ReadLog } from './element-reader.ts';
import type { Finding } from './finding.ts';
import { readNewRelease } from './new-release.ts';
import { readMessagingParty, readParty } from './parties.ts';
import { nonEmpty, oneOf, present } from './values.ts';
import { type XmlRoot, xpathOf } from './xml-tree.ts';

export type ParsedMessage = {
  /** Absent if the document is no such message, or lacks what the model cannot do without; findings say what. */
  readonly message: ErnMessage | undefined;
  readonly version: ErnVersion | undefined;
  /** What is missing. Ask {@link checkMessage} about the rest. */
  readonly findings: readonly Finding[];
  /** XPaths of elements that the model has no place for: they are tolerated. At most 200. */
  readonly unread: readonly string[];
};

/** Reads a NewReleaseMessage or a PurgeReleaseMessage of ERN 4.3.2 or 4.3 into the model. */
export function parseMessage(root: XmlRoot): ParsedMessage {
  const log = new ReadLog();
  const version = ernVersions.find((known) => dialects[known].namespace === root.namespace);
  const content = version === undefined ? undefined : readContent(new ElementReader(root, log));
  if (version === undefined || content === 'unknown') {
    const finding: Finding = {
      code: 'NewReleaseMessageInvalid',
      message: `${root.name} of ${JSON.stringify(root.namespace)} is not supported. Send a NewReleaseMessage or PurgeReleaseMessage of ERN ${ernVersions.join(' or ')}.`,
      xpath: xpathOf(root),
    };
    return { message: undefined, version, findings: [finding], unread: [] };
  }
  return {
    message: log.isComplete ? content : undefined,
    version,
    findings: log.findings,
    unread: log.unreadBelow(root),
  };
}

function readContent(message: ElementReader): ErnMessage | 'unknown' | undefined {
  switch (message.element.name) {
    case 'NewReleaseMessage': {
      const release = readNewRelease(message);
      return (
        release &&
        present({
          kind: 'new_release' as const,
          ...readEnvelope(message),
          profile: message.attribute('ReleaseProfileVersionId'),
          profileVariant: message.attribute('ReleaseProfileVariantVersionId'),
          ...release,
        })
      );
    }
    case 'PurgeReleaseMessage':
      return readPurge(message);
    default:
      return 'unknown';
  }
}

function readEnvelope(message: ElementReader) {
  const language = message.attribute('LanguageAndScriptCode');
  return {
    header: readHeader(message),
    language: message.require(language, 'The attribute LanguageAndScriptCode', ''),
  };
}

function readHeader(message: ElementReader): MessageHeader {
  const header = message.child('MessageHeader') ?? message;
  const sender = header.child('MessageSender');
  const onBehalfOf = header.child('SentOnBehalfOf');
  const recipients = header.children('MessageRecipient').map(readMessagingParty);
  return present({
    threadId: header.token('MessageThreadId'),
    messageId: readMessageId(header),
    sender: header.require(sender && readMessagingParty(sender), 'MessageSender', { dpid: '' }),
    onBehalfOf: onBehalfOf && readMessagingParty(onBehalfOf),
    recipients: header.require(nonEmpty(recipients), 'MessageRecipient', []),
    createdAt: header.require(header.token('MessageCreatedDateTime'), 'MessageCreatedDateTime', ''),
    control: oneOf(['LiveMessage', 'TestMessage'] as const, header.token('MessageControlType')),
  });
}

/** Some senders leave it empty. All else of the message can still be understood. */
function readMessageId(header: ElementReader): string {
  const messageId = header.token('MessageId');
  if (messageId === undefined) {
    header.log.report(header.element, 'MessageId is missing. Send one that you never used before.');
  }
  return messageId ?? '';
}

function readPurge(message: ElementReader): PurgeReleaseMessage | undefined {
  const purged = message.child('PurgedRelease');
  if (purged === undefined) {
    message.log.missing(message.element, 'PurgedRelease is missing.');
    return undefined;
  }
  const title = purged.child('Title');
  return present({
    kind: 'purge_release' as const,
    ...readEnvelope(message),
    ids: readReleaseIds(purged.child('ReleaseId')),
    title: title && readTitle(title),
    artists: nonEmpty(purged.children('Contributor').map(readParty)),
  });
}
