/** Spellings of addresses that must not be reached, and addresses that may be. */

import type { Random } from './random.ts';

/** Addresses of every reserved range, and those that attackers try first, such as metadata services. */
const notableV4 = [
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.0.0.53',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const notableV6 = [
  '::',
  '::1',
  '64:ff9b::1',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

/** Public addresses, some of them next to reserved ranges. Inside the namespace they lead to the canary. */
export const publicAddresses = [
  '93.184.216.34',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2600::1',
  '3ffe::1',
];

const isV6 = (address: string) => address.includes(':');
export const hostFor = (address: string) => (isV6(address) ? `[${address}]` : address);

const privateFirstBytes = ['10', '127', '192.168', '172.20', '169.254', '100.80', '198.18', '250'];

/** An address that must not be reached, and that TCP would reach without a guard. */
export function hostileAddress(random: Random): string {
  if (random.below(4) === 0) {
    const start = random.pick(['fd00', 'fc12', '64:ff9b:0:0:0:0', '2002:a00:1', '::ffff:10.0.0']);
    if (start.startsWith('::ffff')) return `${start}.${random.below(256)}`;
    return `${start}::${random.below(65_535).toString(16)}`;
  }
  const start = random.pick(privateFirstBytes).split('.');
  const rest = Array.from({ length: 4 - start.length }, () => String(random.below(254) + 1));
  return [...start, ...rest].join('.');
}

function spellingsOfV4(address: string): string[] {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const octal = (value: number) => `0${value.toString(8)}`;
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  const inverted = `${hex((a * 256 + b) ^ 0xffff)}:${hex((c * 256 + d) ^ 0xffff)}`;
  const wide = (text: string) =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    octal(whole),
    `000000${octal(whole)}`,
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    bytes.map(octal).join('.'),
    `${a}.0x${hex(b)}.${octal(c)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.${octal((b * 256 + c) * 256 + d)}`,
    wide(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2e'),
    `%${hex(0x30 + Number(String(a)[0]))}${address.slice(1)}`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[0000:0000:0000:0000:0000:ffff:${address}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:0:0:0:0:${high}:${low}]`,
    `[64:ff9b:1::${address}]`,
    `[64:ff9b:1:abcd::${high}:${low}]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[2001:0:${high}:${low}::1]`,
    `[fe80::5efe:${address}]`,
    `[fe80::1%25${address}]`,
  ];
}

function spellingsOfV6(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const words = (half: string) => (half === '' ? [] : half.split(':'));
  const zeros = 8 - words(head).length - words(tail).length;
  const full = [...words(head), ...Array.from({ length: zeros }, () => '0'), ...words(tail)];
  return [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `[${full.join(':')}]`,
    `[${full.map((word) => word.padStart(4, '0')).join(':')}]`,
    `[${address}%25lo]`,
    `[${address}%lo]`,
  ];
}

/** URLs that different parsers read differently. */
const tricks: readonly ((host: string) => string)[] = [
  (host) => `http://93.184.216.34@${host}/`,
  (host) => `http://93.184.216.34:80@${host}/`,
  (host) => `http://hooks.example.com%40${host}/`,
  (host) => `http://${host}#@93.184.216.34/`,
  (host) => `http://93.184.216.34\\@${host}/`,
  (host) => `http:\\\\${host}/`,
  (host) => `http:${host}/`,
  (host) => `http:/${host}/`,
  (host) => `http:///${host}/`,
  (host) => `http://\t${host}/`,
  (host) => `ht\ntp://${host}/`,
  (host) => ` http://${host}/`,
  (host) => `http://@${host}/`,
  (host) => `//${host}/`,
  (host) => `ftp://${host}/`,
  (host) => `gopher://${host}:80/_POST`,
  (host) => `http://${host}:22/`,
];

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'localhost.localdomain',
  'metadata.google.internal',
  'metadata',
  'kubernetes.default.svc.cluster.local',
  'router.lan',
  'printer.local',
  'nas.home.arpa',
];

const urlTemplates = [
  'http://H/',
  'https://H/',
  'http://H:8080/latest/meta-data/',
  'https://H:8443/?a=b',
];

export function hostileUrls(random: Random, atLeast: number): string[] {
  const urls = new Set<string>();
  const add = (host: string) => {
    for (const template of urlTemplates) urls.add(template.replace('H', host));
  };
  for (const name of names) add(name);
  for (const address of notableV6) for (const host of spellingsOfV6(address)) add(host);
  for (const address of [...notableV4, ...notableV6]) {
    for (const trick of tricks) urls.add(trick(hostFor(address)));
  }
  for (const address of notableV4) for (const host of spellingsOfV4(address)) add(host);
  while (urls.size < atLeast) {
    const address = hostileAddress(random);
    for (const host of isV6(address) ? [`[${address}]`] : spellingsOfV4(address)) {
      urls.add(random.pick(urlTemplates).replace('H', host));
    }
  }
  return [...urls];
}
