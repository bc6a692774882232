import type { Finding } from '../finding.ts';
import type { XmlElement, XmlRoot } from '../xml-tree.ts';
import { checkDeals, type DealContext } from './check-deals.ts';
import { checkIdentifiers, checkUniqueness } from './check-identifiers.ts';
import { checkReferences } from './check-references.ts';
import { checkReleases } from './check-release.ts';
import { Reporter } from './reporter.ts';

/**
 * What is wrong with a message beyond its XSD, named after DDEX's ErncFileStatus; at most 100 findings. Purge messages
 * have only identifiers to check.
 */
export function checkMessage(
  root: XmlRoot,
  context: DealContext = { isKnownRelease: false },
): readonly Finding[] {
  const reporter = new Reporter();
  const elements = allBelow(root);
  checkIdentifiers(elements, reporter);
  if (root.name === 'NewReleaseMessage') {
    checkReferences(elements, reporter);
    checkUniqueness(root, reporter);
    checkReleases(root, reporter);
    checkDeals(root, context, reporter);
  }
  return reporter.findings;
}

function allBelow(root: XmlElement): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const visit = (element: XmlElement): void => {
    for (const child of element.children) {
      elements.push(child);
      visit(child);
    }
  };
  visit(root);
  return elements;
}
