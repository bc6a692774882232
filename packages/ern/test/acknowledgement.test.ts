import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createValidator, readAcknowledgement, XmlRefused } from '../src/index.ts';
import { readDdexFile } from './ddex-files.ts';
import { schemaDirectory } from './schema-directory.ts';

describe('acknowledgements', () => {
  const validator = createValidator(schemaDirectory);
  after(() => validator.dispose());

  const rejected = readDdexFile('handmade', 'ack-sftp18-rejected.xml');

  test('of version 18 say what became of the release and of the message', () => {
    const { acknowledgement, warnings } = readAcknowledgement(rejected, validator);
    assert.deepEqual(warnings, []);
    assert.deepEqual(acknowledgement, {
      messageId: 'ack_0003',
      threadId: undefined,
      createdAt: '2025-05-01T12:00:00Z',
      senderDpid: 'PADPIDA2025020202Y',
      releases: [
        {
          releaseIds: { icpn: '123456789012' },
          releaseStatus: {
            value: 'ProcessingErrorAtReleaseDistributor',
            text: 'ProcessingErrorAtReleaseDistributor',
          },
          errorTexts: ['Track 2 audio is truncated'],
          proposedAction: { value: 'ResendXmlAndResources', text: 'ResendXmlAndResources' },
          isManualCheckRequired: true,
          affectedResources: ['QZFIC2500002'],
          messages: [
            {
              messageId: 'msg_0001',
              batchId: '20250501100000123',
              fileStatuses: [
                {
                  value: 'ResourceCorrupt',
                  text: 'ResourceCorrupt',
                  information: 'A2 decode error at 00:02:11',
                },
              ],
            },
          ],
        },
      ],
    });
  });

  for (const [name, status] of [
    ['received', 'ReleaseReceivedByReleaseDistributor'],
    ['live', 'ReleaseMadeAvailableToConsumers'],
  ] as const) {
    test(`ack-sftp18-${name}.xml is ${status}`, () => {
      const xml = readDdexFile('handmade', `ack-sftp18-${name}.xml`);
      const { acknowledgement, warnings } = readAcknowledgement(xml, validator);
      assert.deepEqual(warnings, []);
      const [release] = acknowledgement?.releases ?? [];
      assert.equal(release?.releaseStatus?.value, status);
      assert.equal(release.messages[0]?.messageId, 'msg_0001');
      assert.equal(release.messages[0].fileStatuses[0]?.value, 'FileOK');
      assert.equal(release.isManualCheckRequired, false);
    });
  }

  const ftp16 = `<s:FtpAcknowledgementMessage xmlns:s="http://ddex.net/xml/ern-c-sftp/16" MessageVersionId="1.6">
    <MessageHeader>
      <MessageSender><PartyId>PADPIDA2025020202Y</PartyId></MessageSender>
      <MessageRecipient><PartyId>PADPIDA2025010101X</PartyId></MessageRecipient>
      <MessageCreatedDateTime>2025-05-01T12:00:00Z</MessageCreatedDateTime>
    </MessageHeader>
    <AcknowledgedFile><ReleaseId>123456789012</ReleaseId><Date>2025-05-01</Date></AcknowledgedFile>
    <FileStatus>NoDealForTrackRelease</FileStatus>
    <ErrorText>R2 has no deal</ErrorText>
    <ProposedActionType>ResendXmlOnly</ProposedActionType>
  </s:FtpAcknowledgementMessage>`;

  test('of version 16 are about one file', () => {
    const { acknowledgement, warnings } = readAcknowledgement(ftp16, validator);
    assert.deepEqual(warnings, []);
    const [release] = acknowledgement?.releases ?? [];
    assert.deepEqual(release?.releaseIds, { icpn: '123456789012' });
    assert.equal(release?.releaseStatus, undefined);
    assert.equal(release?.messages[0]?.fileStatuses[0]?.value, 'NoDealForTrackRelease');
    assert.equal(release?.proposedAction?.value, 'ResendXmlOnly');
    assert.deepEqual(release?.errorTexts, ['R2 has no deal']);
  });

  test('that the schema refuses are understood all the same, with a warning', () => {
    const shuffled = `<AcknowledgementMessage>
      <ReleaseStatus>
        <Acknowledgement><MessageId> msg_0001 </MessageId><MessageStatus><Status>fileok</Status></MessageStatus></Acknowledgement>
        <releasestatus>RELEASEMADEAVAILABLETOCONSUMERS</releasestatus>
        <ReleaseId><UPC>123456789012</UPC></ReleaseId>
        <ManualCheckRequired>TRUE</ManualCheckRequired>
        <AffectedResource>QZFIC2500002</AffectedResource>
      </ReleaseStatus>
    </AcknowledgementMessage>`;
    const { acknowledgement, warnings } = readAcknowledgement(shuffled, validator);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]?.message ?? '', /namespace "" of AcknowledgementMessage/);
    const [release] = acknowledgement?.releases ?? [];
    assert.deepEqual(release?.releaseIds, { icpn: '123456789012' });
    assert.equal(release?.releaseStatus?.value, 'ReleaseMadeAvailableToConsumers');
    assert.equal(release?.isManualCheckRequired, true);
    assert.deepEqual(release?.affectedResources, ['QZFIC2500002']);
    assert.equal(release?.messages[0]?.messageId, 'msg_0001');
    assert.equal(release?.messages[0]?.fileStatuses[0]?.value, 'FileOK');
  });

  test('a status of the store itself is passed on as text', () => {
    const own = rejected
      .replace(
        '>ProcessingErrorAtReleaseDistributor<',
        ' Namespace="PADPIDA2025020202Y" UserDefinedValue="InReview">UserDefined<',
      )
      .replace('<Status>ResourceCorrupt', '<Status>TooQuiet');
    const { acknowledgement, warnings } = readAcknowledgement(own, validator);
    assert.equal(warnings.length, 1);
    const [release] = acknowledgement?.releases ?? [];
    assert.deepEqual(release?.releaseStatus, { value: undefined, text: 'InReview' });
    assert.equal(release?.messages[0]?.fileStatuses[0]?.text, 'TooQuiet');
    assert.equal(release?.messages[0]?.fileStatuses[0]?.value, undefined);
  });

  test('several releases in one acknowledgement are told apart', () => {
    const two = rejected.replace(
      '</ern-c-sftp:AcknowledgementMessage>',
      '<ReleaseStatus><ReleaseId><ICPN>4006381333931</ICPN></ReleaseId><ReleaseStatus>RightsConflict</ReleaseStatus></ReleaseStatus></ern-c-sftp:AcknowledgementMessage>',
    );
    const { acknowledgement } = readAcknowledgement(two, validator);
    assert.deepEqual(
      acknowledgement?.releases.map(({ releaseIds, releaseStatus }) => [
        releaseIds.icpn,
        releaseStatus?.value,
      ]),
      [
        ['123456789012', 'ProcessingErrorAtReleaseDistributor'],
        ['4006381333931', 'RightsConflict'],
      ],
    );
  });

  test('another document is none, and a hostile one is refused', () => {
    const manifest = readDdexFile('handmade', 'manifest-sftp18.xml');
    assert.equal(readAcknowledgement(manifest).acknowledgement, undefined);
    assert.throws(() => readAcknowledgement('<!DOCTYPE a><a/>'), XmlRefused);
    assert.throws(() => readAcknowledgement(`<a>${'<b/>'.repeat(20_001)}</a>`), XmlRefused);
  });
});
