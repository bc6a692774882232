import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildNewRelease, type NewReleaseMessage, UnsendableValue } from '../src/index.ts';
import { exampleAlbum, exampleTrack, streaming, withDeals, withTracks } from './example-album.ts';

const xmlOf = (...parameters: Parameters<typeof buildNewRelease>): string =>
  buildNewRelease(...parameters).xml;

const withTitle = (text: string): NewReleaseMessage => ({
  ...exampleAlbum,
  release: { ...exampleAlbum.release, title: { text } },
});

/** The text without the white space between elements. */
const compact = (xml: string): string => xml.replaceAll(/>\s+</g, '><');

describe('a new release message', () => {
  test('has the same text for the same model, whatever the order of its properties', () => {
    const reordered = JSON.parse(JSON.stringify(exampleAlbum), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as NewReleaseMessage;
    assert.equal(xmlOf(reordered), xmlOf(exampleAlbum));
  });

  test('shows the version in the display title, and carries it by itself', () => {
    const xml = compact(xmlOf(exampleAlbum));
    assert.match(xml, /<DisplayTitleText>Made Up Seas \(Live\)</);
    assert.match(xml, /<TitleText>Made Up Seas<.*?<SubTitle SubTitleType="Version">Live</);
  });

  test('names equal parties once', () => {
    assert.equal(xmlOf(exampleAlbum).match(/<Party>/g)?.length, 2);
  });

  test('groups the tracks of several discs', () => {
    const xml = compact(
      xmlOf(withTracks(exampleTrack(1), exampleTrack(2, { disc: 2, number: 1 }))),
    );
    assert.match(
      xml,
      /<ResourceGroup ResourceGroupType="Component"><SequenceNumber>2<\/SequenceNumber><ResourceGroupContentItem><SequenceNumber>1<\/SequenceNumber><ReleaseResourceReference>A2</,
    );
    assert.doesNotMatch(xmlOf(exampleAlbum), /ResourceGroupType/);
  });

  test('writes milliseconds as they are', () => {
    const xml = xmlOf(
      withTracks(
        exampleTrack(1, { durationMs: 3_723_045, editions: [{ preview: { startMs: 30_500 } }] }),
      ),
    );
    assert.match(xml, /<Duration>PT1H2M3.045S</);
    assert.match(xml, /<StartPoint>30.5</);
  });
});

describe('deals', () => {
  test('of equal terms are one release deal', () => {
    const xml = compact(xmlOf(exampleAlbum));
    assert.equal(xml.match(/<ReleaseDeal>/g)?.length, 1);
    assert.match(
      xml,
      /<ReleaseDeal>(<DealReleaseReference>R[012]<\/DealReleaseReference>){3}<Deal>/,
    );
  });

  const preOrder = {
    ...streaming,
    period: { start: '2026-06-01T00:00:00', end: '2026-06-20T00:00:00' },
    isPreOrder: true,
  } as const;
  const instant = { isInstantGratification: true } as const;

  test('a pre-order of the release lists the tracks that buyers get at once', () => {
    const tracks = [exampleTrack(1), exampleTrack(2, instant)];
    const xml = compact(xmlOf({ ...withDeals(preOrder, streaming), tracks }));
    assert.match(
      xml,
      /<IsPreOrderDeal>true<\/IsPreOrderDeal><InstantGratificationResourceList><DealResourceReference>A2<\/DealResourceReference><\/InstantGratificationResourceList>/,
    );
    const own = { deals: [preOrder, streaming] };
    const soldAlike = tracks.map((track) => ({
      ...track,
      trackRelease: { ...exampleTrack(1).trackRelease!, ...own },
    }));
    const alike = xmlOf({ ...withDeals(...own.deals), tracks: soldAlike });
    assert.equal(alike.match(/<DealResourceReference>/g)?.length, 1, 'not in those of the tracks');
  });

  test('without a pre-order, no track comes with one', () => {
    const { xml, conveyance } = buildNewRelease(withTracks(exampleTrack(1, instant)));
    assert.doesNotMatch(xml, /InstantGratification/);
    assert.deepEqual(conveyance().dropped, [
      { pointer: '/tracks/0/isInstantGratification', reason: 'no_pre_order' },
    ]);
  });

  test('start at local midnight without a zone, at one instant with one, or on a day', () => {
    for (const start of ['2027-01-15T00:00:00', '2027-01-15T00:00:00Z']) {
      const xml = xmlOf(withDeals({ ...streaming, period: { start } }));
      assert.match(xml, new RegExp(`<StartDateTime>${start}<`));
    }
    const xml = xmlOf(withDeals({ ...streaming, period: { start: '2027-01-15' } }));
    assert.match(xml, /<StartDate>2027-01-15</);
  });

  test('a deal that would lose all its use types in ERN 4.3 is left out: without any, it would allow all', () => {
    const mining = { ...streaming, useTypes: ['UseForDataMining'] };
    const built = buildNewRelease(withDeals(mining), '4.3');
    assert.doesNotMatch(built.xml, /<DealReleaseReference>R0</);
    assert.ok(
      built
        .conveyance()
        .dropped.some(
          ({ pointer, reason }) =>
            pointer === '/release/deals/0/period/start' && reason === 'value_not_in_version',
        ),
    );
    assert.match(xmlOf(withDeals(mining), '4.3.2'), /<UseType>UseForDataMining</);
  });

  test('an empty list of territories is refused: without codes, the deal would be worldwide', () => {
    assert.throws(
      () => xmlOf(withDeals({ ...streaming, territories: { included: [] } })),
      new UnsendableValue(
        '/release/deals/0/territories/included',
        'must name at least one territory',
      ),
    );
  });

  test('a day and a time do not make a period', () => {
    const period = { start: '2027-01-15', end: '2027-02-15T00:00:00' };
    assert.throws(() => xmlOf(withDeals({ ...streaming, period })), {
      name: 'UnsendableValue',
      pointer: '/release/deals/0/period/end',
    });
  });
});

describe('text', () => {
  test('that XML must escape comes out escaped', () => {
    const xml = xmlOf(withTitle('<Fish & "Chips">\r]]>'));
    assert.match(xml, /<TitleText>&lt;Fish &amp; "Chips"&gt;&#13;]]&gt;</);
  });

  for (const [name, character, code] of [
    ['a control character', '\u0008', 'U+0008'],
    ['a null character', '\u0000', 'U+0000'],
    ['half a surrogate pair', '\uD800', 'U+D800'],
    ['a noncharacter', '\uFFFE', 'U+FFFE'],
  ] as const) {
    test(`with ${name} is refused, and the error names its place`, () => {
      assert.throws(() => xmlOf(withTitle(`Seas${character}`)), {
        name: 'UnsendableValue',
        pointer: '/release/title/text',
        message: `/release/title/text contains the character ${code}, which XML cannot carry.`,
      });
    });
  }

  test('that is blank is refused', () => {
    assert.throws(() => xmlOf(withTitle(' ')), { pointer: '/release/title/text' });
  });

  test('a number that would be written with an exponent is refused', () => {
    assert.throws(() => xmlOf(withTracks(exampleTrack(1, { number: 1e21 }))), {
      pointer: '/tracks/0/number',
    });
  });
});

describe('ERN 4.3', () => {
  const declared = withTracks(
    exampleTrack(1, {
      aiUse: 'Partly',
      contributors: [
        {
          party: { name: 'Ada' },
          roles: ['Composer', 'Mime'],
          instruments: ['Piano', 'Theremin'],
          aiUse: 'None',
        },
      ],
    }),
  );

  test('lacks AI use and a few roles and instruments, and the conveyance says so', () => {
    const { xml, conveyance } = buildNewRelease(declared, '4.3');
    assert.doesNotMatch(xml, /AI|AiContribution|Mime|Theremin/);
    assert.deepEqual(conveyance().dropped, [
      { pointer: '/tracks/0/aiUse', reason: 'not_in_version' },
      { pointer: '/tracks/0/contributors/0/roles/1', reason: 'value_not_in_version' },
      { pointer: '/tracks/0/contributors/0/instruments/1', reason: 'value_not_in_version' },
      { pointer: '/tracks/0/contributors/0/aiUse', reason: 'not_in_version' },
    ]);
  });

  test('ERN 4.3.2 has them all', () => {
    const { xml, conveyance } = buildNewRelease(declared);
    assert.match(xml, /<ContainsAI>Partly</);
    assert.match(xml, /<AiContribution>None</);
    assert.deepEqual(conveyance().dropped, []);
  });
});

describe('a language that ERN has no code for', () => {
  test('is shortened for the message, and reported', () => {
    const { xml, conveyance } = buildNewRelease({ ...exampleAlbum, language: 'de-1901' });
    assert.match(xml, /LanguageAndScriptCode="de"/);
    assert.deepEqual(conveyance().dropped, [
      { pointer: '/language', reason: 'language_not_in_ern' },
    ]);
  });

  test('leaves a title in it out', () => {
    const release = {
      ...exampleAlbum.release,
      localizedTitles: [{ language: 'de-1901', text: 'Meere' }],
    };
    const { xml, conveyance } = buildNewRelease({ ...exampleAlbum, release });
    assert.doesNotMatch(xml, /Meere/);
    assert.equal(conveyance().dropped.length, 2);
  });

  test('a text that is no tag at all is refused', () => {
    assert.throws(() => xmlOf({ ...exampleAlbum, language: 'English!' }), { pointer: '/language' });
  });
});

test('a property that the model does not have is reported as dropped', () => {
  const release = { ...exampleAlbum.release, mood: 'sad' };
  assert.deepEqual(buildNewRelease({ ...exampleAlbum, release }).conveyance().dropped, [
    { pointer: '/release/mood', reason: 'unknown_field' },
  ]);
});
