/**
 * Which addresses may be connected to. Node's block lists treat an IPv4 address and its IPv4-mapped form as the same, so
 * there is one list per family: otherwise ::ffff:0:0/96 would refuse every IPv4 address, and an allowed 127.0.0.0/8
 * would allow ::ffff:127.0.0.1.
 */

import { BlockList, type IPVersion, isIP } from 'node:net';
import type { Policy } from './policy.ts';
import { loopbackRanges, type SpecialRange, specialRanges } from './special-ranges.ts';

const familyOf = (address: string): IPVersion => (address.includes(':') ? 'ipv6' : 'ipv4');

function listOf(...ranges: readonly SpecialRange[]): BlockList {
  const list = new BlockList();
  for (const { cidr } of ranges) {
    const [network = '', prefix = ''] = cidr.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
}

const listsOf = (ranges: readonly SpecialRange[]): Record<IPVersion, BlockList> => ({
  ipv4: listOf(...ranges.filter(({ cidr }) => familyOf(cidr) === 'ipv4')),
  ipv6: listOf(...ranges.filter(({ cidr }) => familyOf(cidr) === 'ipv6')),
});

const special = listsOf(specialRanges);
const loopback = listsOf(loopbackRanges);

/** A text that is not an address is refused, and so is a zone (`%eth0`), which belongs to this machine. */
export function isAllowed(address: string, { allowLoopback }: Policy): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const family = familyOf(address);
  if (allowLoopback && loopback[family].check(address, family)) return true;
  return !special[family].check(address, family);
}

const anyPublic = '8.8.8.8';
const both = listOf(...specialRanges.filter((each) => !listOf(each).check(anyPublic, 'ipv4')));

/**
 * For the socket, which checks one list for both families just before it connects, so that not even the first packet
 * leaves. It omits the ranges in which Node would find every IPv4 address. Undefined if loopback is allowed, because a
 * list has no exceptions and ::1 is inside wider ranges.
 */
export const blockListFor = ({ allowLoopback }: Policy): BlockList | undefined =>
  allowLoopback ? undefined : both;
