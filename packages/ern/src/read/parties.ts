import {
  aiUses,
  type Contributor,
  type DisplayArtist,
  displayArtistRoles,
  type LocalizedText,
  type MessagingParty,
  type Party,
  type RightsController,
} from '../model.ts';
import { hasLanguage, readProprietaryIds } from './descriptions.ts';
import type { ElementReader } from './element-reader.ts';
import { nonEmpty, oneOf, present, toNumber, trueOrAbsent } from './values.ts';
import { tokenOf } from './xml-tree.ts';

/** The parties of the message by their references. */
export type Parties = ReadonlyMap<string, Party>;

export function readParties(message: ElementReader): Parties {
  const list = message.child('PartyList')?.children('Party') ?? [];
  return new Map(
    list.flatMap((party): [string, Party][] => {
      const reference = party.token('PartyReference');
      return reference === undefined ? [] : [[reference, readParty(party)]];
    }),
  );
}

export function readParty(party: ElementReader): Party {
  const main =
    party.children('PartyName', (name) => !hasLanguage(name))[0] ?? party.child('PartyName');
  const localizedNames = party
    .children('PartyName', (name) => name !== main?.element && hasLanguage(name))
    .flatMap((name): LocalizedText[] => {
      const language = name.attribute('LanguageAndScriptCode') ?? '';
      const text = name.text('FullName');
      return text === undefined ? [] : [{ language, text }];
    });
  const ids = party.children('PartyId');
  return present({
    name: party.require(main?.text('FullName'), 'PartyName/FullName', ''),
    localizedNames: nonEmpty(localizedNames),
    isni: ids.flatMap((id) => id.token('ISNI') ?? [])[0],
    ipi: ids.flatMap((id) => id.token('IpiNameNumber') ?? [])[0],
    proprietaryIds: nonEmpty(ids.flatMap(readProprietaryIds)),
  });
}

export function readMessagingParty(party: ElementReader): MessagingParty {
  return present({
    dpid: party.require(party.token('PartyId'), 'PartyId', ''),
    name: party.text('PartyName', 'FullName'),
  });
}

/** The party that `owner` refers to. A reference that leads nowhere is reported by the checks as well. */
function readPartyReference(owner: ElementReader, name: string, parties: Parties): Party {
  const party = parties.get(owner.token(name) ?? '');
  return owner.require(party, `The party of ${name}`, { name: '' });
}

export function readDisplayArtists(
  owner: ElementReader,
  parties: Parties,
): readonly DisplayArtist[] {
  return inSequence(owner.children('DisplayArtist')).map((artist) => {
    const role = oneOf(displayArtistRoles, artist.token('DisplayArtistRole'));
    if (role === undefined) {
      artist.log.report(
        artist.element,
        `DisplayArtistRole must be one of: ${displayArtistRoles.join(', ')}.`,
        'ArtistRoleUnknown',
      );
    }
    return present({
      party: readPartyReference(artist, 'ArtistPartyReference', parties),
      role: role ?? 'Artist',
      artisticRoles: nonEmpty(readRoles(artist, 'ArtisticRole')),
    });
  });
}

export function readContributors(
  owner: ElementReader,
  parties: Parties,
): readonly Contributor[] | undefined {
  return nonEmpty(
    inSequence(owner.children('Contributor')).map((contributor) =>
      present({
        party: readPartyReference(contributor, 'ContributorPartyReference', parties),
        roles: readRoles(contributor, 'Role'),
        instruments: nonEmpty(contributor.tokens('InstrumentType')),
        aiUse: oneOf(aiUses, contributor.token('AiContribution')),
      }),
    ),
  );
}

export function readRightsControllers(
  owner: ElementReader,
  parties: Parties,
): readonly RightsController[] | undefined {
  return nonEmpty(
    inSequence(owner.children('ResourceRightsController')).map((controller) => {
      // Another type stays unread: the model knows controllers only.
      controller.children('RightsControlType', (type) => tokenOf(type) === 'RightsController');
      return present({
        party: readPartyReference(controller, 'RightsControllerPartyReference', parties),
        share: readShare(controller),
      });
    }),
  );
}

function readShare(controller: ElementReader): number | undefined {
  const share = controller.child('RightSharePercentage');
  const value = toNumber(share?.token());
  const isFraction = trueOrAbsent(share?.attribute('HasMaxValueOfOne')) === true;
  return value !== undefined && isFraction ? Number((value * 100).toFixed(10)) : value;
}

/** `<Role>Composer</Role>` in ERN 4.3, `<Role><Value>Composer</Value></Role>` since 4.3.1. */
function readRoles(owner: ElementReader, name: string): readonly string[] {
  return owner.children(name).flatMap((role) => role.token('Value') ?? role.token() ?? []);
}

const numberOf = (reader: ElementReader): number =>
  Number(reader.attribute('SequenceNumber') ?? Number.NaN);

/** In the order of their numbers; those without a number stay where they are. */
function inSequence(readers: readonly ElementReader[]): readonly ElementReader[] {
  return readers.some((reader) => Number.isNaN(numberOf(reader)))
    ? readers
    : readers.toSorted((a, b) => numberOf(a) - numberOf(b));
}
