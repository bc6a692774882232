import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkMessage, type FileStatus, readMessage, readXml } from '../src/index.ts';
import { readDdexFile } from './ddex-files.ts';

const good = readDdexFile('handmade', 'ern432-new-release.xml');
const codesOf = (xml: string) => [...new Set(checkMessage(readXml(xml)).map(({ code }) => code))];

const deal = (terms: string) =>
  `<ReleaseDeal><DealReleaseReference>R1</DealReleaseReference><Deal><DealTerms>${terms}</DealTerms></Deal></ReleaseDeal></DealList>`;
const terms = (territories: string, start = '2025-06-20T00:00:00Z', more = '') =>
  `${territories}<ValidityPeriod><StartDateTime>${start}</StartDateTime>${more}</ValidityPeriod><CommercialModelType>PayAsYouGoModel</CommercialModelType><UseType>PermanentDownload</UseType>`;
const withDeal = (...of: Parameters<typeof terms>) =>
  good.replace('</DealList>', deal(terms(...of)));

describe('the checks', () => {
  const changes: readonly [what: string, code: FileStatus, xml: string][] = [
    [
      'an artist who is no party',
      'NewReleaseMessageInvalid',
      good.replace('<ArtistPartyReference>PArtist1', '<ArtistPartyReference>PNobody'),
    ],
    [
      'a label that is no party',
      'NewReleaseMessageInvalid',
      good.replace('>PLabel1</ReleaseLabelReference>', '>PNobody</ReleaseLabelReference>'),
    ],
    [
      'a recording that is not there',
      'ResourceMissing',
      good.replace('<ReleaseResourceReference>A2', '<ReleaseResourceReference>A9'),
    ],
    [
      'a cover that is not there',
      'ResourceMissing',
      good.replace('<LinkedReleaseResourceReference>A3', '<LinkedReleaseResourceReference>A9'),
    ],
    [
      'two technical details of one reference',
      'NewReleaseMessageInvalid',
      good.replace('DetailsReference>T2', 'DetailsReference>T1'),
    ],
    [
      'two releases of one reference',
      'NewReleaseMessageInvalid',
      good.replace('<ReleaseReference>R2', '<ReleaseReference>R1'),
    ],
    [
      'an ISRC in small letters',
      'IdentifierSyntaxInvalid',
      good.replace('QZFIC2500001<', 'qzfic2500001<'),
    ],
    [
      'an ISRC of two recordings',
      'IdentifierInvalid',
      good.replace('<ISRC>QZFIC2500002', '<ISRC>QZFIC2500001'),
    ],
    [
      'a UPC of eleven digits',
      'IdentifierSyntaxInvalid',
      good.replace('<ICPN>123456789012', '<ICPN>12345678901'),
    ],
    [
      'an EAN with the wrong check digit',
      'IdentifierInvalid',
      good.replace('<ICPN>123456789012', '<ICPN>4006381333932'),
    ],
    [
      'an ISNI with the wrong check digit',
      'IdentifierInvalid',
      good.replace(
        '</PartyName></Party>',
        '</PartyName><PartyId><ISNI>0000000121032684</ISNI></PartyId></Party>',
      ),
    ],
    [
      'a GRid with hyphens',
      'IdentifierSyntaxInvalid',
      good.replace('<ICPN>', '<GRid>A1-2425G-ABC1234002-M</GRid><ICPN>'),
    ],
    [
      'one id of two track releases',
      'IdentifierInvalid',
      good.replace('123456789012_QZFIC2500002', '123456789012_QZFIC2500001'),
    ],
    ['a release without an id', 'MetadataMissing', good.replace('<ICPN>123456789012</ICPN>', '')],
    [
      'a recording without an artist',
      'PrimaryArtistNameMissing',
      good.replace(/<DisplayArtist .*<\/DisplayArtist>/, ''),
    ],
    [
      'a release without recordings',
      'ResourceMissing',
      good.replaceAll(/<ResourceGroupContentItem>.*<\/ResourceGroupContentItem>/g, ''),
    ],
    [
      'a release date that is no day',
      'CommercialReleaseDateInvalid',
      good.replace(
        'IsDefault="true">2025-06-20</ReleaseDate>',
        'IsDefault="true">2025-06-31</ReleaseDate>',
      ),
    ],
    [
      'an original release after the release',
      'OriginalReleaseDateLaterThanReleaseDate',
      good.replace('2025-06-20</OriginalReleaseDate>', '2025-06-21</OriginalReleaseDate>'),
    ],
    [
      'deals for no track',
      'NoDealForTrackRelease',
      good.replace(
        '<DealReleaseReference>R1</DealReleaseReference><DealReleaseReference>R2</DealReleaseReference>',
        '',
      ),
    ],
    [
      'a deal that ends before it starts',
      'CommercialReleaseDateInvalid',
      withDeal(
        '<TerritoryCode>RU</TerritoryCode>',
        '2026-01-02T00:00:00',
        '<EndDateTime>2026-01-01T00:00:00</EndDateTime>',
      ),
    ],
    [
      'a deal that starts at no time',
      'CommercialReleaseDateInvalid',
      withDeal('<TerritoryCode>RU</TerritoryCode>', 'soon'),
    ],
    ['a deal for no territory', 'NewReleaseMessageInvalid', withDeal('', '2026-01-02T00:00:00')],
    [
      'a territory twice',
      'NewReleaseMessageInvalid',
      withDeal('<TerritoryCode>RU</TerritoryCode><TerritoryCode>RU</TerritoryCode>'),
    ],
    [
      'the world and a country',
      'NewReleaseMessageInvalid',
      withDeal(
        '<TerritoryCode>Worldwide</TerritoryCode><TerritoryCode>RU</TerritoryCode>',
        '2026-01-02T00:00:00',
      ),
    ],
    [
      'all of the world excluded',
      'NewReleaseMessageInvalid',
      withDeal('<ExcludedTerritoryCode>Worldwide</ExcludedTerritoryCode>', '2026-01-02T00:00:00'),
    ],
    [
      'a deal for no use',
      'UnsupportedUsage',
      good.replace('<UseType>PermanentDownload</UseType>', ''),
    ],
    [
      'two deals for the same territory',
      'ConflictingAvailabilityPeriods',
      withDeal('<TerritoryCode>DE</TerritoryCode>'),
    ],
    [
      'two deals for the rest of the world',
      'ConflictingAvailabilityPeriods',
      withDeal('<ExcludedTerritoryCode>DE</ExcludedTerritoryCode>'),
    ],
  ];
  for (const [what, code, xml] of changes) {
    test(`${what}: ${code}`, () => {
      assert.notEqual(xml, good);
      assert.deepEqual(codesOf(xml), [code]);
    });
  }

  const fine: readonly [what: string, xml: string][] = [
    [
      'a deal for the territory that another leaves out',
      withDeal('<TerritoryCode>RU</TerritoryCode>'),
    ],
    [
      'a deal with another start',
      withDeal('<TerritoryCode>DE</TerritoryCode>', '2025-06-21T00:00:00Z'),
    ],
    [
      'a deal for orders before the release',
      withDeal('<TerritoryCode>DE</TerritoryCode>').replace(
        /<\/UseType>(?=<\/DealTerms>)/,
        '</UseType><IsPreOrderDeal>true</IsPreOrderDeal>',
      ),
    ],
    ['a track without a deal', good.replace('<DealReleaseReference>R2</DealReleaseReference>', '')],
    ['an EAN', good.replace('<ICPN>123456789012', '<ICPN>4006381333931')],
    [
      'an ISNI that ends with X',
      good.replace(
        '</PartyName></Party>',
        '</PartyName><PartyId><ISNI>000000012146438X</ISNI></PartyId></Party>',
      ),
    ],
    [
      'a year as original release',
      good.replace('2025-06-20</OriginalReleaseDate>', '2025</OriginalReleaseDate>'),
    ],
  ];
  for (const [what, xml] of fine) {
    test(`${what} is fine`, () => {
      assert.notEqual(xml, good);
      assert.deepEqual(checkMessage(readXml(xml)), []);
    });
  }

  const wide: readonly [what: string, xml: string][] = [
    [
      'errors in every element',
      good.replace(
        '<DealList>',
        `<DealList>${'<ReleaseDeal><DealReleaseReference>R9</DealReleaseReference><Deal/></ReleaseDeal>'.repeat(15_000)}`,
      ),
    ],
    [
      'thousands of deals for thousands of references',
      good
        .replace(
          '<DealReleaseReference>',
          `${'<DealReleaseReference>R1</DealReleaseReference>'.repeat(20_000)}<DealReleaseReference>`,
        )
        .replace(
          '<Deal>',
          `${`<Deal><DealTerms>${terms('<TerritoryCode>DE</TerritoryCode>')}</DealTerms></Deal>`.repeat(3500)}<Deal>`,
        ),
    ],
    [
      'thousands of models for thousands of uses',
      good
        .replace(
          '<CommercialModelType>',
          `${Array.from({ length: 22_000 }, (_, i) => `<CommercialModelType>${i}</CommercialModelType>`).join('')}<CommercialModelType>`,
        )
        .replace(
          '<UseType>',
          `${Array.from({ length: 22_000 }, (_, i) => `<UseType>${i}</UseType>`).join('')}<UseType>`,
        ),
    ],
    [
      'one recording thousands of times',
      good
        .replace(
          '<ResourceGroupContentItem>',
          `${'<ResourceGroupContentItem><ReleaseResourceReference>A1</ReleaseResourceReference></ResourceGroupContentItem>'.repeat(15_000)}<ResourceGroupContentItem>`,
        )
        .replace(
          '<Contributor ',
          `${'<Contributor><ContributorPartyReference>PWriter1</ContributorPartyReference></Contributor>'.repeat(6000)}<Contributor `,
        ),
    ],
  ];
  for (const [what, xml] of wide) {
    test(`a message with ${what} costs little time, and has a list of findings that a person can read`, () => {
      // Time of this thread: the garbage collector's other threads take what the machine has left.
      const start = process.threadCpuUsage();
      const { findings } = readMessage(xml);
      const { user, system } = process.threadCpuUsage(start);
      assert.ok(findings.length <= 200, `${findings.length} findings`);
      assert.ok(user + system < 5_000_000, `${(user + system) / 1000} ms`);
    });
  }
});
