/** References between the parts of a message. libxml2 does not follow them when it validates. */

import type { FileStatus } from '../finding.ts';
import { tokenOf, type XmlElement } from '../xml-tree.ts';
import type { Reporter } from './reporter.ts';

type Kind = 'party' | 'resource' | 'release' | 'technical details' | 'visibility';

/** The elements that give a part its reference. */
const definitions: Readonly<Record<string, Kind>> = {
  PartyReference: 'party',
  ResourceReference: 'resource',
  ReleaseReference: 'release',
  TechnicalResourceDetailsReference: 'technical details',
  VisibilityReference: 'visibility',
};

/** The elements that refer to a part. */
const uses: Readonly<Record<string, Kind>> = {
  ArtistPartyReference: 'party',
  BrandReference: 'party',
  CharacterPartyReference: 'party',
  ContributorPartyReference: 'party',
  PartyAffiliateReference: 'party',
  PartyRelatedPartyReference: 'party',
  RecordCompanyPartyReference: 'party',
  ReleaseLabelReference: 'party',
  RightsControllerPartyReference: 'party',
  DealResourceReference: 'resource',
  LinkedReleaseResourceReference: 'resource',
  ReleaseResourceReference: 'resource',
  RepresentativeImageReference: 'resource',
  ResourceContainedResourceReference: 'resource',
  ResourceRelatedResourceReference: 'resource',
  DealReleaseReference: 'release',
  ResourceGroupReleaseReference: 'release',
  DealTechnicalResourceDetailsReference: 'technical details',
  ReleaseVisibilityReference: 'visibility',
};

/** DDEX has a code of its own for a resource that is not there. */
const codeOf = (kind: Kind): FileStatus =>
  kind === 'resource' ? 'ResourceMissing' : 'NewReleaseMessageInvalid';

export function checkReferences(elements: readonly XmlElement[], reporter: Reporter): void {
  const known = new Set<string>();
  for (const element of elements) {
    const kind = Object.hasOwn(definitions, element.name) ? definitions[element.name] : undefined;
    const reference = tokenOf(element);
    if (kind === undefined || reference === undefined) {
      continue;
    }
    const key = `${kind} ${reference}`;
    if (known.has(key)) {
      reporter.report(
        'NewReleaseMessageInvalid',
        element,
        `${element.name} ${reference} is used twice. Give each ${kind} a reference of its own.`,
      );
    }
    known.add(key);
  }
  for (const element of elements) {
    const kind = Object.hasOwn(uses, element.name) ? uses[element.name] : undefined;
    const reference = tokenOf(element);
    if (kind !== undefined && !known.has(`${kind} ${reference}`)) {
      reporter.report(
        codeOf(kind),
        element,
        `${element.name} ${reference ?? ''} refers to no ${kind} of the message.`,
      );
    }
  }
}
