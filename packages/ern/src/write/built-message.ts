import type { ErnMessage, LanguageTag } from '../model.ts';
import { type Conveyance, conveyanceOf } from './conveyance.ts';
import { dialects, type ErnVersion, ernVersionDefault } from './dialects.ts';
import { type Attributes, type Children, element, writeDocument } from './element.ts';
import { Field } from './field.ts';
import { messageLanguageOf } from './language.ts';
import { createDraft, type MessageDraft } from './message-draft.ts';

export type BuiltMessage = {
  /** UTF-8. The same model always has the same text. */
  readonly xml: string;
  /** Computed when called: most messages are sent without anybody asking. */
  readonly conveyance: () => Conveyance;
};

type Plan<Message> = {
  readonly name: string;
  readonly attributesOf: (message: Field<Message>) => Attributes;
  readonly contentOf: (draft: MessageDraft, message: Field<Message>) => Children;
};

export function buildErnMessage<Message extends ErnMessage>(
  message: Message,
  version: ErnVersion = ernVersionDefault,
  { name, attributesOf, contentOf }: Plan<Message>,
): BuiltMessage {
  const draft = createDraft(dialects[version]);
  const { namespace, avsVersionId } = draft.dialect;
  const root = Field.root(message);
  const content = contentOf(draft, root);
  const language = root.to<LanguageTag>('language', message.language);
  const { xml, fields } = writeDocument(
    element(`ern:${name}`, content, {
      'xmlns:ern': namespace,
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:schemaLocation': `${namespace} ${namespace}/release-notification.xsd`,
      AvsVersionId: avsVersionId,
      LanguageAndScriptCode: messageLanguageOf(draft, language),
      ...attributesOf(root),
    }),
  );
  // The root element says the kind.
  const kind = root.to('kind', message.kind);
  return { xml, conveyance: () => conveyanceOf(message, [...fields, kind], draft.drops) };
}
