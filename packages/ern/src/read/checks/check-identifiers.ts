import { childrenOf, descendantOf, tokenOf, type XmlElement } from '../xml-tree.ts';
import { checkDigitIssueOf, identifierNames, syntaxIssueOf } from './identifiers.ts';
import type { Reporter } from './reporter.ts';

export function checkIdentifiers(elements: readonly XmlElement[], reporter: Reporter): void {
  for (const element of elements) {
    if (identifierNames.has(element.name)) {
      checkIdentifier(element, reporter);
    }
  }
}

function checkIdentifier(element: XmlElement, reporter: Reporter): void {
  const value = tokenOf(element);
  if (value === undefined) {
    reporter.report('IdentifierSyntaxInvalid', element, `${element.name} is empty. Leave it out.`);
    return;
  }
  const expected = syntaxIssueOf(element.name, value);
  if (expected !== undefined) {
    reporter.report(
      'IdentifierSyntaxInvalid',
      element,
      `${element.name} ${JSON.stringify(value.slice(0, 40))} must be ${expected}.`,
    );
    return;
  }
  const digit = checkDigitIssueOf(element.name, value);
  if (digit !== undefined) {
    reporter.report(
      'IdentifierInvalid',
      element,
      `${element.name} ${value} has the wrong check digit: the other digits ask for ${digit}.`,
    );
  }
}

/** An ISRC names one recording; a release id names one release. */
export function checkUniqueness(root: XmlElement, reporter: Reporter): void {
  const resources = descendantOf(root, 'ResourceList')?.children ?? [];
  reportRepeated(resources.flatMap(isrcsOf), reporter, 'Every recording has an ISRC of its own.');
  const releases = descendantOf(root, 'ReleaseList')?.children ?? [];
  reportRepeated(
    releases.flatMap((release) =>
      childrenOf(release, 'ReleaseId').flatMap(({ children }) => children),
    ),
    reporter,
    'Every release has an id of its own.',
  );
}

function isrcsOf(resource: XmlElement): readonly XmlElement[] {
  const owners = [
    resource,
    ...childrenOf(resource, 'SoundRecordingEdition'),
    ...childrenOf(resource, 'VideoEdition'),
  ];
  return owners
    .flatMap((owner) => childrenOf(owner, 'ResourceId'))
    .flatMap((id) => childrenOf(id, 'ISRC'));
}

function reportRepeated(ids: readonly XmlElement[], reporter: Reporter, rule: string): void {
  const seen = new Set<string>();
  for (const id of ids) {
    const value = tokenOf(id);
    const key = `${id.name} ${id.attributes.get('Namespace') ?? ''} ${value}`;
    if (value !== undefined && seen.has(key)) {
      reporter.report('IdentifierInvalid', id, `${id.name} ${value} is given twice. ${rule}`);
    }
    seen.add(key);
  }
}
