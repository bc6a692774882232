import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildNewRelease,
  buildPurge,
  type NewReleaseMessage,
  type ParsedMessage,
  parseMessage,
  readXml,
} from '../src/index.ts';
import { listDdexFiles, readDdexFile } from './ddex-files.ts';
import { exampleTrack, withTracks } from './example-album.ts';

const good = readDdexFile('handmade', 'ern432-new-release.xml');

const parse = (xml: string): ParsedMessage => parseMessage(readXml(xml));

function newRelease(xml: string): NewReleaseMessage {
  const { message, findings } = parse(xml);
  assert.ok(message?.kind === 'new_release', JSON.stringify(findings));
  return message;
}

describe('a NewReleaseMessage', () => {
  test('becomes the model, and leaves nothing unread', () => {
    const { message, version, findings, unread } = parse(good);
    assert.equal(version, '4.3.2');
    assert.deepEqual(findings, []);
    assert.deepEqual(unread, []);
    assert.ok(message?.kind === 'new_release');
    assert.deepEqual(message.header, {
      threadId: 'del_0001',
      messageId: 'msg_0001',
      sender: { dpid: 'PADPIDA2025010101X', name: 'Example Distribution' },
      recipients: [{ dpid: 'PADPIDA2025020202Y', name: 'Fictional Store' }],
      createdAt: '2025-05-01T10:00:00Z',
      control: 'TestMessage',
    });
    const { release, tracks } = message;
    assert.deepEqual(release.ids, { icpn: '123456789012' });
    assert.deepEqual(release.label, { name: 'Example Records' });
    assert.deepEqual(release.deals[1], {
      territories: { excluded: ['RU'] },
      period: { start: '2025-06-20T00:00:00Z' },
      commercialModels: ['PayAsYouGoModel'],
      useTypes: ['PermanentDownload'],
    });
    assert.equal(release.cover?.file?.uri, 'resources/cover.jpg');
    assert.deepEqual(
      tracks.map(({ disc, number, title, durationMs }) => [disc, number, title.text, durationMs]),
      [
        [1, 1, 'First Light', 192_000],
        [1, 2, 'Second Tide', 245_000],
      ],
    );
    assert.deepEqual(tracks[0]?.contributors, [
      { party: { name: 'Ada Writer' }, roles: ['ComposerLyricist'] },
    ]);
    assert.deepEqual(tracks[1]?.trackRelease?.deals, release.deals);
  });

  test('of ERN 4.3 says the same in other elements', () => {
    const { message, version } = parse(readDdexFile('handmade', 'ern43-new-release.xml'));
    assert.equal(version, '4.3');
    assert.deepEqual(message, newRelease(good));
  });

  test('that lacks metadata is not given, and each place is named', () => {
    const { message, findings } = parse(
      good
        .replace('<Duration>PT3M12S</Duration>', '')
        .replace('<ReleaseType>Album</ReleaseType>', ''),
    );
    assert.equal(message, undefined);
    assert.deepEqual(
      findings.map(({ code, xpath }) => [code, xpath]),
      [
        ['MetadataMissing', '/ern:NewReleaseMessage/ReleaseList/Release'],
        ['MetadataMissing', '/ern:NewReleaseMessage/ResourceList/SoundRecording[1]'],
      ],
    );
  });

  test('may contain what the model does not know: it is listed', () => {
    const { message, unread } = parse(
      good
        .replace('<ParentalWarningType>', '<Mood>sad</Mood><ParentalWarningType>')
        .replace('<DealList>', '<ChapterList><Chapter/></ChapterList><DealList>'),
    );
    assert.ok(message);
    assert.deepEqual(unread, [
      '/ern:NewReleaseMessage/ResourceList/SoundRecording[1]/Mood',
      '/ern:NewReleaseMessage/ChapterList',
    ]);
  });

  test('gives the default of values that differ by territory', () => {
    const { release } = newRelease(
      good.replace(
        '<ReleaseDate ApplicableTerritoryCode',
        '<ReleaseDate ApplicableTerritoryCode="DE">2025-06-01</ReleaseDate><ReleaseDate ApplicableTerritoryCode',
      ),
    );
    assert.equal(release.releaseDate, '2025-06-20');
  });

  test('may state sampling rates in kHz, and keep its recording without an edition', () => {
    const { tracks } = newRelease(
      good
        .replace(
          '<SamplingRate UnitOfMeasure="Hz">44100<',
          '<SamplingRate UnitOfMeasure="kHz">44.1<',
        )
        .replace('<SoundRecordingEdition>', '')
        .replace('</SoundRecordingEdition>', ''),
    );
    assert.equal(tracks[0]?.editions[0]?.isrc, 'QZFIC2500001');
    assert.equal(tracks[0]?.editions[0]?.audio?.sampleRateHz, 44_100);
  });

  test('has its credits in the order of their numbers', () => {
    const artist = (number: number, role: string) =>
      `<DisplayArtist SequenceNumber="${number}"><ArtistPartyReference>PArtist1</ArtistPartyReference><DisplayArtistRole>${role}</DisplayArtistRole></DisplayArtist>`;
    const { tracks } = newRelease(
      good.replace(artist(1, 'MainArtist'), artist(2, 'FeaturedArtist') + artist(1, 'MainArtist')),
    );
    assert.deepEqual(
      tracks[0]?.artists.map(({ role }) => role),
      ['MainArtist', 'FeaturedArtist'],
    );
  });
});

describe('the order of tracks', () => {
  const item = (number: number, resource: string) =>
    `<ResourceGroupContentItem><SequenceNumber>${number}</SequenceNumber><ReleaseResourceReference>${resource}</ReleaseResourceReference></ResourceGroupContentItem>`;
  const placesIn = (groups: string) =>
    newRelease(
      good.replace(
        /<ResourceGroup>[^]*<\/ResourceGroup>/,
        `<ResourceGroup>${groups}</ResourceGroup>`,
      ),
    ).tracks.map(({ disc, number, title }) => `${disc}.${number} ${title.text}`);

  test('discs are groups', () => {
    assert.deepEqual(
      placesIn(
        `<ResourceGroup><SequenceNumber>1</SequenceNumber>${item(1, 'A2')}</ResourceGroup><ResourceGroup><SequenceNumber>2</SequenceNumber>${item(1, 'A1')}</ResourceGroup>`,
      ),
      ['1.1 Second Tide', '2.1 First Light'],
    );
  });

  test('the parts of a work are no discs', () => {
    assert.deepEqual(
      placesIn(
        `<ResourceGroup ResourceGroupType="MultiWorkPart">${item(1, 'A2')}</ResourceGroup><ResourceGroup ResourceGroupType="MultiWorkPart">${item(1, 'A1')}</ResourceGroup>`,
      ),
      ['1.1 Second Tide', '1.2 First Light'],
    );
  });
});

describe('other documents', () => {
  test('a PurgeReleaseMessage becomes the model', () => {
    const { message } = parse(readDdexFile('handmade', 'ern432-purge.xml'));
    assert.ok(message?.kind === 'purge_release');
    assert.deepEqual(message.ids, { icpn: '123456789012' });
    assert.deepEqual(message.title, { text: 'Made Up Seas' });
    assert.deepEqual(message.artists, [{ name: 'The Fictional Band' }]);
  });

  test('a document of another namespace is refused', () => {
    for (const xml of [
      '<a/>',
      good.replaceAll('ern/432', 'ern/382'),
      readDdexFile('handmade', 'manifest-sftp18.xml'),
    ]) {
      const { message, findings } = parse(xml);
      assert.equal(message, undefined);
      assert.equal(findings[0]?.code, 'NewReleaseMessageInvalid');
    }
  });

  test('an empty message says what it lacks', () => {
    const { message, findings } = parse(
      '<e:NewReleaseMessage xmlns:e="http://ddex.net/xml/ern/432"/>',
    );
    assert.equal(message, undefined);
    assert.deepEqual(
      findings.map((finding) => finding.message),
      ['ReleaseList/Release is missing.'],
    );
  });
});

describe('the samples of DDEX', () => {
  for (const folder of ['samples/ern43', 'samples/ern432-derived']) {
    for (const name of listDdexFiles(folder)) {
      test(`${folder}/${name} is read, and what was read can be written and read again`, () => {
        const { message, version } = parse(readDdexFile(folder, name));
        assert.ok(message?.kind === 'new_release' && version !== undefined);
        const hasRecordings = !/Video/.test(name);
        assert.equal(message.tracks.length > 0, hasRecordings);
        // The sample with an empty MessageId cannot be sent like that.
        const header = { ...message.header, messageId: 'msg_1' };
        const again = parse(buildNewRelease({ ...message, header }, version).xml);
        assert.deepEqual(again.message, { ...message, header });
        assert.deepEqual(again.unread, []);
      });
    }
  }

  test('purge messages are written and read again', () => {
    const { message } = parse(readDdexFile('handmade', 'ern43-purge.xml'));
    assert.ok(message?.kind === 'purge_release');
    assert.deepEqual(parse(buildPurge(message, '4.3').xml).message, message);
  });
});

test('who controls the rights in a recording: a share of one is a part, and other roles stay unread', () => {
  const party = { name: 'Example Records' };
  const { xml } = buildNewRelease(
    withTracks(exampleTrack(1, { rightsControllers: [{ party, share: 100 }] })),
  );
  const read = (text: string) => {
    const { message, unread } = parseMessage(readXml(text));
    assert.ok(message?.kind === 'new_release');
    return { controllers: message.tracks[0]?.rightsControllers, unread };
  };
  assert.deepEqual(read(xml), { controllers: [{ party, share: 100 }], unread: [] });
  const asPart = xml.replace(
    '<RightSharePercentage>100<',
    '<RightSharePercentage HasMaxValueOfOne="1">0.07<',
  );
  assert.deepEqual(read(asPart).controllers, [{ party, share: 7 }]);
  const payee = xml.replace('>RightsController<', '>LocalPayee<');
  assert.match(read(payee).unread.join(), /RightsControlType/);
});
