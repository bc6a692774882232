/**
 * Acknowledgements as stores write them. `standard` is the choreography's version 18. The others were seen in the
 * field, and no schema accepts them: an old root element without a header, one without a namespace and in small letters,
 * and one that does not name the message.
 */

export const acknowledgementForms = ['standard', 'old', 'loose', 'unaddressed'] as const;
export type AcknowledgementForm = (typeof acknowledgementForms)[number];

export type Acknowledgement = {
  readonly messageId: string;
  readonly batchId: string;
  readonly code: string;
  readonly status: string;
  /** ErncFileStatus. */
  readonly fileStatus: string;
  readonly reason: string | null;
  readonly proposedAction: string | null;
  readonly createdAt: Date;
};

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const optional = (name: string, text: string | null): string =>
  text === null ? '' : `<${name}>${escape(text)}</${name}>`;

const standard = (answer: Acknowledgement, messageId: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ern-c-sftp:AcknowledgementMessage xmlns:ern-c-sftp="http://ddex.net/xml/ern-c-sftp/18" AvsVersionId="9">
  <MessageHeader>
    <MessageId>ack_${answer.batchId}</MessageId>
    <MessageSender><PartyId>PADPIDA2025020202Y</PartyId></MessageSender>
    <MessageRecipient><PartyId>PADPIDA2025010101X</PartyId></MessageRecipient>
    <MessageCreatedDateTime>${answer.createdAt.toISOString().replace(/\.\d+/, '')}</MessageCreatedDateTime>
  </MessageHeader>
  <ReleaseStatus>
    <ReleaseId><ICPN>${answer.code}</ICPN></ReleaseId>
    <ReleaseStatus>${answer.status}</ReleaseStatus>
    ${optional('ErrorText', answer.reason)}${optional('ProposedActionType', answer.proposedAction)}
    <Acknowledgement>
      <MessageType>NewReleaseMessage</MessageType>
      <BatchId>${answer.batchId}</BatchId>
      <MessageId>${messageId}</MessageId>
      <MessageStatus><Status>${answer.fileStatus}</Status></MessageStatus>
    </Acknowledgement>
  </ReleaseStatus>
</ern-c-sftp:AcknowledgementMessage>
`;

const writers: Readonly<Record<AcknowledgementForm, (answer: Acknowledgement) => string>> = {
  standard: (answer) => standard(answer, answer.messageId),
  old: ({ messageId, code, status, fileStatus, reason, proposedAction }) =>
    `<FtpAcknowledgementMessage xmlns="http://ddex.net/xml/ern-c-sftp/16"><AcknowledgedFile>
<MessageId> ${messageId} </MessageId><ReleaseId><ICPN IsNumeric="yes">${code}</ICPN></ReleaseId></AcknowledgedFile>
<FileStatus>${fileStatus}</FileStatus><ReleaseStatus>${status}</ReleaseStatus>
${optional('ErrorText', reason)}${optional('ProposedActionType', proposedAction)}</FtpAcknowledgementMessage>`,
  loose: ({ messageId, code, status, fileStatus, reason, proposedAction }) =>
    `<acknowledgement><note/><releasestatus><releaseid>${code}</releaseid><messageid>${messageId}</messageid>
<releasestatus>${status.toLowerCase()}</releasestatus><FILESTATUS>${fileStatus}</FILESTATUS>
${optional('errorText', reason)}${optional('proposedactiontype', proposedAction)}</releasestatus></acknowledgement>`,
  unaddressed: (answer) => standard(answer, ''),
};

export const writeAcknowledgement = (form: AcknowledgementForm, answer: Acknowledgement): string =>
  writers[form](answer);
