/** Which recordings a release contains, in which order. */

import { ElementReader } from './element-reader.ts';
import { toNumber } from './values.ts';

export type TrackPlace = {
  readonly disc: number;
  readonly number: number;
  /** Of the recording, `A1`. */
  readonly resource: string;
};

type Item = { readonly resource: string; readonly sequence: number | undefined };

/** The groups of a release are its discs, unless their type says that they only keep the parts of a work together. */
export function readTrackOrder(release: ElementReader): readonly TrackPlace[] {
  const group = release.child('ResourceGroup');
  if (group === undefined) {
    return [];
  }
  const discs = group.children('ResourceGroup', ({ attributes }) =>
    isDisc(attributes.get('ResourceGroupType')),
  );
  return [
    ...discPlaces(itemsOf(group, true), discNumberOf(group) ?? 1),
    ...discs.flatMap((disc, i) => discPlaces(itemsOf(disc, false), discNumberOf(disc) ?? i + 1)),
  ];
}

const isDisc = (type: string | undefined): boolean => type === undefined || type === 'Component';

const discNumberOf = (disc: ElementReader): number | undefined =>
  toNumber(disc.token('SequenceNumber'));

/** Numbers that restart inside a disc (in the parts of a work) cannot be track numbers: then the order counts. */
function discPlaces(items: readonly Item[], disc: number): readonly TrackPlace[] {
  const sequences = new Set(items.map(({ sequence }) => sequence));
  const areNumbers = sequences.size === items.length;
  return items.map(({ resource, sequence }, i) => ({
    disc,
    number: areNumbers && sequence !== undefined ? sequence : i + 1,
    resource,
  }));
}

/** Items and groups of items in the order of the message. The discs in the release's own group are left out. */
function itemsOf(group: ElementReader, isReleaseGroup: boolean): readonly Item[] {
  return group.element.children.flatMap((child): readonly Item[] => {
    if (child.name === 'ResourceGroupContentItem') {
      return itemOf(new ElementReader(child, group.log));
    }
    const isPart =
      child.name === 'ResourceGroup' &&
      !(isReleaseGroup && isDisc(child.attributes.get('ResourceGroupType')));
    return isPart ? itemsOf(new ElementReader(child, group.log), false) : [];
  });
}

function itemOf(item: ElementReader): readonly Item[] {
  const resource = item.token('ReleaseResourceReference');
  return resource === undefined
    ? []
    : [{ resource, sequence: toNumber(item.token('SequenceNumber')) }];
}
