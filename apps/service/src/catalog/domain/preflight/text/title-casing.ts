/**
 * The case of a title is checked outside its brackets, without features and volumes: other rules define their forms,
 * and a fix of those must not change the result of this check.
 */

import {
  type BracketGroup,
  wrapInBrackets,
  textOutsideGroups,
  type ParsedTitle,
  parseTitle,
  rewriteTitle,
} from './bracket-groups.ts';
import { bareFeatureIndex, isFeatureGroup } from './featuring.ts';
import {
  caseOf,
  hasCase,
  toSentenceCase,
  toTitleCase,
  isTooLongForAcronym,
  type LetterCase,
} from './letter-case.ts';
import { removeVolumes, normalizeVolumes } from './volume-forms.ts';

function titleCore(parsed: ParsedTitle): string {
  const end = bareFeatureIndex(parsed) ?? parsed.text.length;
  return removeVolumes(textOutsideGroups(parsed).slice(0, end));
}

/** All upper or all lower; undefined where the case is fine. */
export function findWrongCase(title: string): Exclude<LetterCase, 'mixed'> | undefined {
  const core = titleCore(parseTitle(title));
  const found = caseOf(core);
  if (found === 'mixed' || (found === 'upper' && !isTooLongForAcronym(core))) return undefined;
  return found;
}

const sentenceLanguages: ReadonlySet<string> = new Set(['fr', 'it', 'sv', 'ru']);
/** `zxx` means no lyrics; such titles are written like English ones. */
const titleLanguages: ReadonlySet<string> = new Set(['en', 'es', 'pt', 'zxx']);

/** The style of a language; undefined where it needs a dictionary, as for German nouns. */
export function casingStyleOf(language: string | null): 'title case' | 'sentence case' | undefined {
  const [primary = ''] = (language ?? 'en').toLowerCase().split('-');
  if (sentenceLanguages.has(primary)) return 'sentence case';
  return titleLanguages.has(primary) ? 'title case' : undefined;
}

/** Features stay unchanged: some artists write their names in capitals. */
export function recaseTitle(title: string, style: 'title case' | 'sentence case'): string {
  const { text } = parseTitle(title);
  const end = bareFeatureIndex(parseTitle(title)) ?? text.length;
  const head = rewriteTitle(
    parseTitle(text.slice(0, end)),
    recasingWriter(style, findWrongCase(title)),
  );
  const result = `${head}${text.slice(end)}`;
  // "Vol. 1" keeps its capital in sentence case.
  return normalizeVolumes(text) === text ? normalizeVolumes(result) : result;
}

function recasingWriter(style: 'title case' | 'sentence case', wrong: LetterCase | undefined) {
  const inStyle = style === 'title case' ? toTitleCase : toSentenceCase;
  let hasBegun = false;
  return {
    group: (group: BracketGroup) => {
      const isWrong = !isFeatureGroup(group) && caseOf(group.text) === wrong;
      return wrapInBrackets(group.kind, isWrong ? inStyle(group.text) : group.text);
    },
    outside: (piece: string) => {
      // Text after brackets continues the sentence.
      if (hasBegun && style === 'sentence case') return piece.toLowerCase();
      hasBegun ||= hasCase(piece);
      return inStyle(piece);
    },
  };
}
