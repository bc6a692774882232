/** What releases, recordings and their owners have in common. */

import type {
  FileHash,
  Genre,
  LocalizedTitle,
  ProprietaryId,
  ReleaseIds,
  RightsLine,
  Title,
} from '../model.ts';
import type { ElementReader } from './element-reader.ts';
import { nonEmpty, present, toNumber } from './values.ts';
import type { XmlElement } from './xml-tree.ts';

export function readReleaseIds(id: ElementReader | undefined): ReleaseIds {
  const catalogNumber = id?.child('CatalogNumber');
  return present({
    grid: id?.token('GRid'),
    icpn: id?.token('ICPN'),
    catalogNumber: catalogNumber && readNamespaced(catalogNumber),
    proprietaryIds: id && nonEmpty(readProprietaryIds(id)),
  });
}

export function readProprietaryIds(parent: ElementReader): readonly ProprietaryId[] {
  return parent.children('ProprietaryId').flatMap((id) => readNamespaced(id) ?? []);
}

/** An id of somebody's own is nothing without its namespace. */
export function readNamespaced(id: ElementReader): ProprietaryId | undefined {
  const namespace = id.attribute('Namespace');
  const value = id.text();
  return namespace === undefined || value === undefined ? undefined : { namespace, value };
}

export function readTitles(owner: ElementReader): {
  readonly title: Title;
  readonly localizedTitles: readonly LocalizedTitle[] | undefined;
} {
  const main = owner.worldwide('DisplayTitle');
  const shown = owner.text('DisplayTitleText');
  const localizedTitles = owner
    .children('DisplayTitle', (title) => title !== main?.element && hasLanguage(title))
    .flatMap((title): LocalizedTitle[] => {
      const language = title.attribute('LanguageAndScriptCode') ?? '';
      const localized = readTitle(title);
      return localized === undefined ? [] : [{ language, ...localized }];
    });
  return {
    title:
      (main && readTitle(main)) ??
      owner.require(shown === undefined ? undefined : { text: shown }, 'DisplayTitle', {
        text: '',
      }),
    localizedTitles: nonEmpty(localizedTitles),
  };
}

export const hasLanguage = ({ attributes }: XmlElement): boolean =>
  attributes.has('LanguageAndScriptCode');

export function readTitle(title: ElementReader): Title | undefined {
  const text = title.text('TitleText');
  return text === undefined ? undefined : present({ text, version: title.text('SubTitle') });
}

export function readRightsLine(
  owner: ElementReader,
  name: 'PLine' | 'CLine',
): RightsLine | undefined {
  const line = owner.child(name);
  const text = line?.text(`${name}Text`);
  return line === undefined || text === undefined
    ? undefined
    : present({
        year: toNumber(line.token('Year')),
        company: line.text(`${name}Company`),
        text,
      });
}

/** The element is called Genre in ERN 4.3 and DisplayGenre since 4.3.1. */
export function readGenre(owner: ElementReader): Genre {
  const genre = owner.worldwide('DisplayGenre') ?? owner.worldwide('Genre');
  const text = genre?.text('GenreText');
  return present({
    text: owner.require(text, 'The genre (DisplayGenre, in ERN 4.3 Genre)', ''),
    subgenre: genre?.text('SubGenre'),
  });
}

/** ERN says Algorithm and HashSumValue; the choreography says HashSumAlgorithmType, and HashSum in version 16. */
export function readHash(owner: ElementReader): FileHash | undefined {
  const hash = owner.child('HashSum');
  const algorithm = hash?.token('Algorithm') ?? hash?.token('HashSumAlgorithmType');
  const value = hash?.token('HashSumValue') ?? hash?.token('HashSum');
  return algorithm === undefined || value === undefined ? undefined : { algorithm, value };
}
