/**
 * A title's case is judged by what stands outside its brackets, without features and volumes: these have
 * forms of their own, and mending them must not turn a title into one that shouts.
 */
import {
  type Group,
  inBrackets,
  outsideOf,
  type Parts,
  partsOf,
  rewritten,
} from './bracket-groups.ts';
import { bareFeatureAt, isFeature } from './featuring.ts';
import {
  caseOf,
  hasCase,
  inSentenceCase,
  inTitleCase,
  isShouted,
  type LetterCase,
} from './letter-case.ts';
import { withoutVolumes, withVolumesInForm } from './volume-forms.ts';

function coreOf(parts: Parts): string {
  const end = bareFeatureAt(parts) ?? parts.text.length;
  return withoutVolumes(outsideOf(parts).slice(0, end));
}

/** All upper or all lower; undefined where the case is fine. */
export function wrongCaseOf(title: string): Exclude<LetterCase, 'mixed'> | undefined {
  const core = coreOf(partsOf(title));
  const found = caseOf(core);
  if (found === 'mixed' || (found === 'upper' && !isShouted(core))) return undefined;
  return found;
}

const sentenceLanguages: ReadonlySet<string> = new Set(['fr', 'it', 'sv', 'ru']);
/** `zxx`: nothing is sung; the title is in the language of trade. */
const titleLanguages: ReadonlySet<string> = new Set(['en', 'es', 'pt', 'zxx']);

/** What each language writes; undefined where only a speaker can tell, as with German nouns. */
export function styleOf(language: string | null): 'title case' | 'sentence case' | undefined {
  const [primary = ''] = (language ?? 'en').toLowerCase().split('-');
  if (sentenceLanguages.has(primary)) return 'sentence case';
  return titleLanguages.has(primary) ? 'title case' : undefined;
}

/** Features are left as they are: some artists write their names in capitals. */
export function recased(title: string, style: 'title case' | 'sentence case'): string {
  const { text } = partsOf(title);
  const end = bareFeatureAt(partsOf(title)) ?? text.length;
  const head = rewritten(partsOf(text.slice(0, end)), writingIn(style, wrongCaseOf(title)));
  const result = `${head}${text.slice(end)}`;
  // "Vol. 1" keeps its capital in sentence case.
  return withVolumesInForm(text) === text ? withVolumesInForm(result) : result;
}

function writingIn(style: 'title case' | 'sentence case', wrong: LetterCase | undefined) {
  const inStyle = style === 'title case' ? inTitleCase : inSentenceCase;
  let isBegun = false;
  return {
    group: (group: Group) => {
      const isWrong = !isFeature(group) && caseOf(group.text) === wrong;
      return inBrackets(group.kind, isWrong ? inStyle(group.text) : group.text);
    },
    outside: (piece: string) => {
      // A sentence that goes on after brackets does not begin again.
      if (isBegun && style === 'sentence case') return piece.toLowerCase();
      isBegun ||= hasCase(piece);
      return inStyle(piece);
    },
  };
}
