/** Deals that say different things about the same release, territory, use and start. */

import { childOf, childrenOf, tokenOf, type XmlElement } from '../xml-tree.ts';

export type DealConflict = { readonly deal: XmlElement; readonly reference: string };

/** Where the deals of one use have been seen so far. */
type Coverage = {
  readonly included: Set<string>;
  /** The world but these; undefined as long as no deal is about the rest of the world. */
  rest: ReadonlySet<string> | undefined;
};

/** A message with more than this is not compared: it costs a step per release, use and territory. */
const stepsMax = 1_000_000;
/** DDEX has about ten commercial models and a hundred use types. */
const usesMax = 1000;

/** The first conflict, in the order of the message. */
export function findConflict(releaseDeals: readonly XmlElement[]): DealConflict | undefined {
  const covered = new Map<string, Coverage>();
  let steps = 0;
  for (const releaseDeal of releaseDeals) {
    const references = childrenOf(releaseDeal, 'DealReleaseReference').map(
      (reference) => tokenOf(reference) ?? '',
    );
    for (const deal of childrenOf(releaseDeal, 'Deal')) {
      const terms = childOf(deal, 'DealTerms');
      const uses = usesOf(terms);
      const territories = territoriesOf(terms);
      steps += references.length * uses.length * (1 + territories.codes.length);
      if (steps > stepsMax) {
        return undefined;
      }
      const reference = references.find((release) =>
        uses.some((use) => !cover(covered, `${release} ${use}`, territories)),
      );
      if (reference !== undefined) {
        return { deal, reference };
      }
    }
  }
  return undefined;
}

/**
 * One key per commercial model and use type; orders before the release are a use of their own. Deals for some channels
 * of a store only are not compared: which channels overlap, the store knows.
 */
function usesOf(terms: XmlElement | undefined): readonly string[] {
  if (childOf(terms, 'DistributionChannel') ?? childOf(terms, 'ExcludedDistributionChannel')) {
    return [];
  }
  const period = childOf(terms, 'ValidityPeriod');
  const start = tokenOf(childOf(period, 'StartDateTime') ?? childOf(period, 'StartDate')) ?? '';
  const isPreOrder = tokenOf(childOf(terms, 'IsPreOrderDeal')) === 'true';
  const models = wordsOf(terms, 'CommercialModelType');
  const useTypes = wordsOf(terms, 'UseType');
  return models.length * useTypes.length > usesMax
    ? []
    : models.flatMap((model) => useTypes.map((use) => `${start} ${isPreOrder} ${model} ${use}`));
}

function wordsOf(terms: XmlElement | undefined, name: string): readonly string[] {
  const words = childrenOf(terms, name).map(
    (value) => `${tokenOf(value)} ${value.attributes.get('UserDefinedValue') ?? ''}`,
  );
  return [...new Set(words)];
}

type Where = { readonly isExcluded: boolean; readonly codes: readonly string[] };

function territoriesOf(terms: XmlElement | undefined): Where {
  const excluded = childrenOf(terms, 'ExcludedTerritoryCode');
  const included = childrenOf(terms, 'TerritoryCode').map((code) => tokenOf(code) ?? '');
  if (included.includes('Worldwide')) {
    return { isExcluded: true, codes: [] };
  }
  return included.length > 0
    ? { isExcluded: false, codes: included }
    : { isExcluded: true, codes: excluded.map((code) => tokenOf(code) ?? '') };
}

/** Adds the territories to those that have a deal. False if one of them has one already. */
function cover(covered: Map<string, Coverage>, key: string, { isExcluded, codes }: Where): boolean {
  const coverage = covered.get(key) ?? { included: new Set(), rest: undefined };
  covered.set(key, coverage);
  const { included, rest } = coverage;
  if (isExcluded) {
    const own = new Set(codes);
    coverage.rest = own;
    return rest === undefined && [...included].every((code) => own.has(code));
  }
  const isFree = codes.every(
    (code) => !included.has(code) && (rest === undefined || rest.has(code)),
  );
  for (const code of codes) {
    included.add(code);
  }
  return isFree;
}
