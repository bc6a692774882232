import type { XmlRefusal } from '../src/read/xml-refused.ts';

export interface HostileCase {
  readonly name: string;
  readonly code: XmlRefusal;
  readonly xml: () => Uint8Array | string;
}

const laughs = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
).join('');

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));

export const hostileCases: readonly HostileCase[] = [
  {
    name: 'an external entity that names a file (XXE)',
    code: 'xml_has_dtd',
    xml: () => '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  },
  {
    name: 'an external parameter entity',
    code: 'xml_has_dtd',
    xml: () => '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]><a/>',
  },
  {
    name: 'an external DTD',
    code: 'xml_has_dtd',
    xml: () => '<?xml version="1.0"?><!-- c --><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
  },
  {
    name: 'an empty DTD',
    code: 'xml_has_dtd',
    xml: () => '<!DOCTYPE a><a/>',
  },
  {
    name: 'billion laughs',
    code: 'xml_has_dtd',
    xml: () => `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]><a>&l9;</a>`,
  },
  {
    name: 'quadratic blow-up',
    code: 'xml_has_dtd',
    xml: () => `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(100_000)}">]><a>${'&x;'.repeat(100_000)}</a>`,
  },
  {
    name: 'a DTD hidden in UTF-16',
    code: 'xml_encoding_unsupported',
    xml: () => utf16('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
  },
  {
    name: 'a DTD hidden in UTF-7',
    code: 'xml_encoding_unsupported',
    xml: () => '<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>',
  },
  {
    name: 'EBCDIC',
    code: 'xml_encoding_unsupported',
    xml: () => Uint8Array.of(0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x40, 0xa5, 0x85, 0x99),
  },
  {
    name: 'Latin-1 that calls itself UTF-8',
    code: 'xml_encoding_unsupported',
    xml: () => Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>Beyoncé</a>', 'latin1'),
  },
  {
    name: '200,000 nested elements',
    code: 'xml_too_complex',
    xml: () => '<a>'.repeat(200_000),
  },
  {
    name: '40,000 nested elements',
    code: 'xml_too_deep',
    xml: () => '<a>'.repeat(40_000) + '</a>'.repeat(40_000),
  },
  {
    name: '100 nested elements',
    code: 'xml_too_deep',
    xml: () => '<a>'.repeat(100) + '</a>'.repeat(100),
  },
  {
    name: 'a million elements',
    code: 'xml_too_complex',
    xml: () => `<a>${'<b/>'.repeat(1_000_000)}</a>`,
  },
  {
    name: '300,000 attributes',
    code: 'xml_too_complex',
    xml: () => `<a ${Array.from({ length: 300_000 }, (_, i) => `b${i}=""`).join(' ')}/>`,
  },
  {
    name: '40,000 equal attributes',
    code: 'xml_not_well_formed',
    xml: () => `<a ${'b="" '.repeat(40_000)}/>`,
  },
  {
    name: '50 MB',
    code: 'xml_too_large',
    xml: () => Buffer.alloc(50 * 1024 * 1024, 0x20),
  },
  {
    name: 'a truncated document',
    code: 'xml_not_well_formed',
    xml: () => '<?xml version="1.0" encoding="UTF-8"?><a><b>text',
  },
  {
    name: 'a truncated document of many elements',
    code: 'xml_not_well_formed',
    xml: () => `<a>${'<b/>'.repeat(45_000)}`,
  },
  {
    name: 'a null byte in the text',
    code: 'xml_not_well_formed',
    xml: () => '<a>b\0c</a>',
  },
  {
    name: 'a null byte after the document',
    code: 'xml_not_well_formed',
    xml: () => '<a/>\0<!DOCTYPE a>',
  },
  {
    name: 'a reference to the null character',
    code: 'xml_not_well_formed',
    xml: () => '<a>&#0;</a>',
  },
  {
    name: 'a reference to half a surrogate pair',
    code: 'xml_not_well_formed',
    xml: () => '<a>&#xD800;</a>',
  },
  {
    name: 'an entity that nothing declares',
    code: 'xml_not_well_formed',
    xml: () => '<a>&nbsp;</a>',
  },
  { name: 'nothing', code: 'xml_not_well_formed', xml: () => '' },
  { name: 'JSON', code: 'xml_not_well_formed', xml: () => '{"a": 1}' },
  { name: 'two roots', code: 'xml_not_well_formed', xml: () => '<a/><b/>' },
];
