/**
 * Address ranges that are not part of the public internet. First those of IANA's two special-purpose registries, also
 * the ones that IANA calls globally reachable: no partner has a receiver there. Ranges inside a wider range are listed
 * only if their name is well known. Then ranges that are not in the registries. Of IPv6 only 2000::/3, which IANA
 * assigns, is allowed.
 */
export type SpecialRange = {
  readonly cidr: string;
  readonly name: string;
  readonly source: string;
};

const range = (cidr: string, name: string, source: string): SpecialRange => ({
  cidr,
  name,
  source,
});

/** The only ranges that a policy may allow. */
export const loopbackRanges: readonly SpecialRange[] = [
  range('127.0.0.0/8', 'loopback', 'RFC 1122'),
  range('::1/128', 'loopback', 'RFC 4291'),
];

export const specialRanges: readonly SpecialRange[] = [
  ...loopbackRanges,
  range('0.0.0.0/8', 'this network', 'RFC 791'),
  range('10.0.0.0/8', 'private use', 'RFC 1918'),
  range('100.64.0.0/10', 'shared by carriers (CGNAT)', 'RFC 6598'),
  range('169.254.0.0/16', 'link-local, metadata of clouds', 'RFC 3927'),
  range('172.16.0.0/12', 'private use', 'RFC 1918'),
  range('192.0.0.0/24', 'IETF protocol assignments', 'RFC 6890'),
  range('192.0.2.0/24', 'documentation', 'RFC 5737'),
  range('192.31.196.0/24', 'AS112', 'RFC 7535'),
  range('192.52.193.0/24', 'AMT', 'RFC 7450'),
  range('192.88.99.0/24', '6to4 relays', 'RFC 7526'),
  range('192.168.0.0/16', 'private use', 'RFC 1918'),
  range('192.175.48.0/24', 'AS112, delegated directly', 'RFC 7534'),
  range('198.18.0.0/15', 'benchmarking', 'RFC 2544'),
  range('198.51.100.0/24', 'documentation', 'RFC 5737'),
  range('203.0.113.0/24', 'documentation', 'RFC 5737'),
  range('224.0.0.0/4', 'multicast', 'RFC 5771'),
  range('240.0.0.0/4', 'reserved, broadcast', 'RFC 1112, RFC 919'),

  range('::/128', 'unspecified', 'RFC 4291'),
  range('::/96', 'IPv4-compatible', 'RFC 4291'),
  range('::ffff:0:0/96', 'IPv4-mapped', 'RFC 4291'),
  range('::ffff:0:0:0/96', 'IPv4-translated', 'RFC 2765'),
  range('64:ff9b::/96', 'NAT64', 'RFC 6052'),
  range('64:ff9b:1::/48', 'NAT64, local', 'RFC 8215'),
  range('100::/64', 'discard', 'RFC 6666'),
  range('100:0:0:1::/64', 'dummy', 'RFC 9780'),
  range('2001::/32', 'Teredo', 'RFC 4380'),
  range('2001:2::/48', 'benchmarking', 'RFC 5180'),
  range('2001:3::/32', 'AMT', 'RFC 7450'),
  range('2001:4:112::/48', 'AS112', 'RFC 7535'),
  range('2001:10::/28', 'ORCHID', 'RFC 4843'),
  range('2001:20::/28', 'ORCHIDv2', 'RFC 7343'),
  range('2001:30::/28', 'drones (DRIP)', 'RFC 9374'),
  range('2001::/23', 'IETF protocol assignments', 'RFC 2928'),
  range('2001:db8::/32', 'documentation', 'RFC 3849'),
  range('2002::/16', '6to4', 'RFC 3056'),
  range('2620:4f:8000::/48', 'AS112, delegated directly', 'RFC 7534'),
  range('3fff::/20', 'documentation', 'RFC 9637'),
  range('5f00::/16', 'segment routing (SRv6)', 'RFC 9602'),
  range('fc00::/7', 'unique local, metadata of clouds', 'RFC 4193'),
  range('fe80::/10', 'link-local', 'RFC 4291'),
  range('fec0::/10', 'site-local', 'RFC 3879'),
  range('ff00::/8', 'multicast', 'RFC 4291'),

  range('168.63.129.16/32', "Azure's platform, from inside a virtual machine", 'Azure'),
  range('::/3', 'not global unicast', 'RFC 4291 §2.4'),
  range('4000::/2', 'not global unicast', 'RFC 4291 §2.4'),
  range('8000::/1', 'not global unicast', 'RFC 4291 §2.4'),
];
