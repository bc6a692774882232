import type { PurgeReleaseMessage } from '../model.ts';
import { type BuiltMessage, buildErnMessage } from './built-message.ts';
import type { ErnVersion } from './dialects.ts';
import { element } from './element.ts';
import { type Field, itemsOf } from './field.ts';
import { headerElement } from './header.ts';
import type { MessageDraft } from './message-draft.ts';
import { partyContent, releaseIdElement } from './parties.ts';

/** PurgeReleaseMessage. A manifest cannot list it: it is sent by itself. */
export const buildPurge = (message: PurgeReleaseMessage, version?: ErnVersion): BuiltMessage =>
  buildErnMessage(message, version, {
    name: 'PurgeReleaseMessage',
    attributesOf: () => ({}),
    contentOf: (draft, field) => [headerElement(field.at('header')), purgedRelease(draft, field)],
  });

function purgedRelease(draft: MessageDraft, message: Field<PurgeReleaseMessage>) {
  const title = message.at('title');
  return element('PurgedRelease', [
    releaseIdElement('ReleaseId', message.at('ids')),
    title &&
      element(
        'Title',
        [element('TitleText', title.at('text')), element('SubTitle', title.at('version'))],
        { TitleType: 'FormalTitle' },
      ),
    itemsOf(message.at('artists')).map((artist, i) =>
      element('Contributor', partyContent(draft, artist), { SequenceNumber: String(i + 1) }),
    ),
  ]);
}
