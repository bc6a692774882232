import type {
  Contributor,
  DisplayArtist,
  Party,
  ProprietaryId,
  ReleaseIds,
  RightsController,
} from '../model.ts';
import { type Children, element, type Element } from './element.ts';
import { type Field, itemsOf, type Source } from './field.ts';
import { nameContent } from './header.ts';
import { whereLanguageIsKnown } from './language.ts';
import type { MessageDraft } from './message-draft.ts';

/** Written after the rest of the message is built: only then is it known who is mentioned. */
export const partyListElement = (draft: MessageDraft): Element =>
  element(
    'PartyList',
    draft
      .parties()
      .map(([reference, party]) =>
        element('Party', [element('PartyReference', reference), partyContent(draft, party)]),
      ),
  );

export const partyContent = (draft: MessageDraft, party: Field<Party>): Children => [
  element('PartyName', nameContent(party.at('name'))),
  itemsOf(party.at('localizedNames'))
    .map((name) => whereLanguageIsKnown(draft, name, ({ language }) => language))
    .map((name) =>
      element('PartyName', nameContent(name?.at('text')), {
        LanguageAndScriptCode: name?.at('language'),
      }),
    ),
  partyId(party),
];

function partyId(party: Field<Party>): Element | undefined {
  const { isni, ipi, proprietaryIds = [] } = party.value;
  if (isni === undefined && ipi === undefined && proprietaryIds.length === 0) return undefined;
  return element('PartyId', [
    element('ISNI', party.at('isni')),
    element('IpiNameNumber', party.at('ipi')),
    proprietaryIdElements(party.at('proprietaryIds')),
  ]);
}

export const proprietaryIdElements = (
  ids: Field<readonly ProprietaryId[]> | undefined,
): readonly (Element | undefined)[] =>
  itemsOf(ids).map((id) => namespacedElement('ProprietaryId', id));

export const namespacedElement = (
  name: string,
  id: Field<ProprietaryId> | undefined,
): Element | undefined => element(name, id?.at('value'), { Namespace: id?.at('namespace') });

export const releaseIdElement = (name: string, ids: Field<ReleaseIds>): Element =>
  element(name, [
    element('GRid', ids.at('grid')),
    element('ICPN', ids.at('icpn')),
    namespacedElement('CatalogNumber', ids.at('catalogNumber')),
    proprietaryIdElements(ids.at('proprietaryIds')),
  ]);

export const displayArtistElements = (
  draft: MessageDraft,
  artists: Field<readonly DisplayArtist[]>,
): Children =>
  itemsOf(artists).map((artist, i) =>
    element(
      'DisplayArtist',
      [
        element('ArtistPartyReference', draft.refer(artist.at('party'))),
        element('DisplayArtistRole', artist.at('role')),
        roleElements(draft, 'ArtisticRole', artist.at('artisticRoles')),
      ],
      { SequenceNumber: String(i + 1) },
    ),
  );

export const contributorElements = (
  draft: MessageDraft,
  contributors: Field<readonly Contributor[]> | undefined,
): Children =>
  itemsOf(contributors).map((contributor, i) =>
    element(
      'Contributor',
      [
        element('ContributorPartyReference', draft.refer(contributor.at('party'))),
        roleElements(draft, 'Role', contributor.at('roles')),
        knownValues(draft, contributor.at('instruments'), draft.dialect.missing.instruments).map(
          (instrument) => element('InstrumentType', instrument),
        ),
        aiElement(draft, 'AiContribution', contributor.at('aiUse')),
      ],
      { SequenceNumber: String(i + 1) },
    ),
  );

export const rightsControllerElements = (
  draft: MessageDraft,
  controllers: Field<readonly RightsController[]> | undefined,
): Children =>
  itemsOf(controllers).map((controller, i) =>
    element(
      'ResourceRightsController',
      [
        element('RightsControllerPartyReference', draft.refer(controller.at('party'))),
        element('RightsControlType', 'RightsController'),
        element('RightSharePercentage', controller.at('share')),
      ],
      { SequenceNumber: String(i + 1) },
    ),
  );

const roleElements = (
  draft: MessageDraft,
  name: string,
  roles: Field<readonly string[]> | undefined,
): Children =>
  knownValues(draft, roles, draft.dialect.missing.contributorRoles).map((role) =>
    element(name, draft.dialect.hasRoleValues ? [element('Value', role)] : role),
  );

export function aiElement(
  draft: MessageDraft,
  name: 'ContainsAI' | 'AiContribution',
  aiUse: Source<string> | undefined,
): Element | undefined {
  if (draft.dialect.hasAiUse) return element(name, aiUse);
  draft.drop(aiUse, 'not_in_version');
  return undefined;
}

/** The values that the version of ERN knows. */
export function knownValues(
  draft: MessageDraft,
  values: Field<readonly string[]> | undefined,
  missing: readonly string[],
): readonly Field<string>[] {
  return itemsOf(values).filter((value) => {
    const isKnown = !missing.includes(value.value);
    if (!isKnown) draft.drop(value, 'value_not_in_version');
    return isKnown;
  });
}
