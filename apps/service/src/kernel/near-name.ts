/**
 * Finds the known name that was probably meant by an unknown one: `event_types` → `event_type`, `releaseDate` →
 * `release_date`, `relaese_date` → `release_date`. A request chooses the name, so the work is bounded: long names are not
 * compared, and a comparison ends as soon as the names differ too much.
 */

import { memoizeByText } from './memoize-by-text.ts';

const nameMax = 50;
const editsMax = 2;

/** Names of two letters, such as territory codes, are all near each other: they match by their letters only. */
const editsFor = ({ length }: string): number => Math.min(editsMax, Math.floor((length - 1) / 3));

/** Undefined: no known name is near, or several are equally near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > nameMax) return undefined;
  const plain = plainForm(name);
  let nearest: string | undefined;
  let least = Infinity;
  let isTie = false;
  for (const each of known) {
    if (each === name || each.length > nameMax) continue;
    const edits = isFirstWord(name, each) ? firstWordEdits : distance(plain, plainFormOf(each));
    if (edits === Infinity || edits > least) continue;
    isTie = edits === least;
    [nearest, least] = [each, edits];
  }
  return isTie ? undefined : nearest;
}

/** `territory` of `territory_code`: a name that is only misspelled is nearer. */
const firstWordEdits = 1.5;
const firstWordMin = 4;
const isFirstWord = (name: string, known: string): boolean =>
  name.length >= firstWordMin && known.startsWith(`${name}_`);

/** The question that a refusal ends with; empty if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `. Did you mean \`${nearest}\`?`;
}

/** Spellings of one name: case, hyphens, underscores, spaces and a plural make no difference. */
const plainForm = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
    .replace(/(?<=.{3})ies$/, 'y')
    .replace(/(?<=.{3})s$/, '');

const knownNamesMax = 2_048;
/** Known names are the same in every request. */
const plainFormOf = memoizeByText(plainForm, knownNamesMax);

/**
 * How many letters must be added, removed, changed or swapped with their neighbor (optimal string alignment). Infinity:
 * more than the length allows.
 */
function distance(a: string, b: string): number {
  if (a === b) return 0;
  const max = Math.min(editsFor(a), editsFor(b));
  if (Math.abs(a.length - b.length) > max) return Infinity;
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    let least = Infinity;
    // Further from the diagonal, the names differ by more than `max`.
    for (let j = Math.max(1, i - max); j <= Math.min(b.length, i + max); j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = Math.min(
        (before[j] ?? Infinity) + 1,
        (row[j - 1] ?? Infinity) + 1,
        (before[j - 1] ?? Infinity) + (isSame ? 0 : 1),
        isSwap ? (twoBefore[j - 2] ?? Infinity) + 1 : Infinity,
      );
      row[j] = edits;
      least = Math.min(least, edits);
    }
    if (least > max) return Infinity;
    [twoBefore, before] = [before, row];
  }
  const edits = before[b.length] ?? Infinity;
  return edits > max ? Infinity : edits;
}
