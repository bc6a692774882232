/** The elements that releases and recordings have in common. */

import type { Genre, LocalizedTitle, RightsLine, Title } from '../model.ts';
import { type Attributes, type Children, element, type Element } from './element.ts';
import { type Field, itemsOf } from './field.ts';
import { whereLanguageIsKnown } from './language.ts';
import type { MessageDraft } from './message-draft.ts';

/** Marks the value that counts where no other is given for a territory. */
export const worldwideDefault: Attributes = {
  ApplicableTerritoryCode: 'Worldwide',
  IsDefault: 'true',
};

export const titleElements = (
  draft: MessageDraft,
  title: Field<Title>,
  localizedTitles: Field<readonly LocalizedTitle[]> | undefined,
): Children => [
  element(
    'DisplayTitleText',
    title.at('text').map((text) => displayTitleOf(text, title.value)),
  ),
  displayTitle(title, worldwideDefault),
  itemsOf(localizedTitles)
    .map((localized) => whereLanguageIsKnown(draft, localized, ({ language }) => language))
    .map(
      (localized) =>
        localized &&
        displayTitle(
          localized.map((own): Title => own),
          { LanguageAndScriptCode: localized.at('language') },
        ),
    ),
];

/** `Seas (Live)`: stores that show one line show this one. */
const displayTitleOf = (text: string, { version }: Title): string =>
  version === undefined ? text : `${text} (${version})`;

const displayTitle = (title: Field<Title>, attributes: Attributes): Element =>
  element(
    'DisplayTitle',
    [
      element('TitleText', title.at('text')),
      element('SubTitle', title.at('version'), { SubTitleType: 'Version' }),
    ],
    attributes,
  );

export const rightsLineElement = (
  name: 'PLine' | 'CLine',
  line: Field<RightsLine> | undefined,
): Element | undefined =>
  line &&
  element(name, [
    element(
      'Year',
      line.at('year')?.map((year) => String(year).padStart(4, '0')),
    ),
    element(`${name}Company`, line.at('company')),
    element(`${name}Text`, line.at('text')),
  ]);

export const genreElement = ({ dialect }: MessageDraft, genre: Field<Genre>): Element =>
  element(
    dialect.genreElement,
    [element('GenreText', genre.at('text')), element('SubGenre', genre.at('subgenre'))],
    { ApplicableTerritoryCode: 'Worldwide', IsDefault: 'true' },
  );

/** `PT3M12.345S`. DDEX asks for hours, minutes and seconds, and allows fractions of seconds. */
export function formatDuration(durationMs: number): string {
  const hours = Math.floor(durationMs / 3_600_000);
  const minutes = Math.floor((durationMs % 3_600_000) / 60_000);
  return `PT${hours > 0 ? `${hours}H` : ''}${hours > 0 || minutes > 0 ? `${minutes}M` : ''}${formatSeconds(durationMs % 60_000)}S`;
}

/** Without floating point, so that every millisecond comes back. */
export function formatSeconds(ms: number): string {
  const fraction = String(ms % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${Math.floor(ms / 1000)}${fraction === '' ? '' : `.${fraction}`}`;
}
