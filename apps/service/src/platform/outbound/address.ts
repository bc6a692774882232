/**
 * Which addresses may be connected to. Node's lists take an IPv4 address for its IPv4-mapped form and the other way
 * round, so each family has a list of its own: else ::ffff:0:0/96 would refuse every IPv4 address, and an open
 * 127.0.0.0/8 would let ::ffff:127.0.0.1 through.
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

/** Of what is no address nothing is known, so it is refused; a zone (`%eth0`) is of this machine. */
export function isAllowed(address: string, { allowLoopback }: Policy): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const family = familyOf(address);
  if (allowLoopback && loopback[family].check(address, family)) return true;
  return !special[family].check(address, family);
}

const anyPublic = '8.8.8.8';
const both = listOf(...specialRanges.filter((each) => !listOf(each).check(anyPublic, 'ipv4')));

/**
 * For the socket, which takes one list of both families and asks it just before it connects: not even the first
 * packet leaves. Without the ranges in which Node would find every IPv4 address; and none where loopback is open,
 * for a list has no exceptions, and ::1 lies within wider ranges.
 */
export const blockListFor = ({ allowLoopback }: Policy): BlockList | undefined =>
  allowLoopback ? undefined : both;
