import type { MessageHeader, MessagingParty } from '../model.ts';
import { element, type Element } from './element.ts';
import { type Field, itemsOf } from './field.ts';

export const headerElement = (header: Field<MessageHeader>): Element =>
  element('MessageHeader', [
    element('MessageThreadId', header.at('threadId')),
    element('MessageId', header.at('messageId')),
    messagingParty('MessageSender', header.at('sender')),
    messagingParty('SentOnBehalfOf', header.at('onBehalfOf')),
    itemsOf(header.at('recipients')).map((party) => messagingParty('MessageRecipient', party)),
    element('MessageCreatedDateTime', header.at('createdAt')),
    element('MessageControlType', header.at('control')),
  ]);

const messagingParty = (
  name: string,
  party: Field<MessagingParty> | undefined,
): Element | undefined =>
  party &&
  element(name, [
    element('PartyId', party.at('dpid')),
    element('PartyName', nameContent(party.at('name'))),
  ]);

export const nameContent = (name: Field<string> | undefined): readonly [Element] | undefined =>
  name && [element('FullName', name)];
