/** A sheet to begin with, as `tonearm releases import --template` prints it. */

const rowsOf = (releaseDate: string): string[][] => [
  [
    'file',
    'title',
    'isrc',
    'contributors.composer',
    'contributors.musician',
    'contributors.producer',
    'ai_use.recording',
    'ai_use.composition',
    'release.title',
    'release.artists',
    'release.release_date',
    'release.language',
    'release.ai_use.artwork',
  ],
  [
    '01.wav',
    'Night Drive',
    '',
    'Aurora Díaz',
    'Aurora Díaz (synthesizer)',
    'Mette Krogh',
    'none',
    'none',
    'Night Drive',
    'Aurora Díaz; Kofi Mensah (featured)',
    releaseDate,
    'en',
    'none',
  ],
  [
    '02.wav',
    'Northern Lights',
    '',
    'Aurora Díaz',
    'Aurora Díaz (piano)',
    'Mette Krogh',
    'none',
    'none',
    '',
    '',
    '',
    '',
    '',
  ],
];

/** The release date is three months ahead: one in the past cannot be submitted. */
export function templateOf(today: Date): string {
  const date = new Date(today.getTime() + 91 * 86_400_000).toISOString().slice(0, 10);
  return `${rowsOf(date)
    .map((row) => row.join(','))
    .join('\n')}\n`;
}
