/** The songs and covers of the fictional catalogue. Tracks share them, because each is really uploaded and examined. */

export type Song = {
  readonly type: 'audio';
  readonly fileName: string;
  readonly contentType: 'audio/wav';
  readonly seconds: number;
  /** In whole hertz, so that every second is the same. */
  readonly chord: readonly number[];
};

type Colour = readonly [red: number, green: number, blue: number];

/** A vertical gradient with a disc. */
export type Cover = {
  readonly type: 'artwork';
  readonly fileName: string;
  readonly contentType: 'image/png';
  readonly sky: readonly [top: Colour, bottom: Colour];
  readonly disc: {
    readonly colour: Colour;
    readonly x: number;
    readonly y: number;
    readonly radius: number;
  };
};

export type SeedFile = Song | Cover;

const song = (name: string, seconds: number, chord: readonly number[]): Song => ({
  type: 'audio',
  fileName: `demo-${name}.wav`,
  contentType: 'audio/wav',
  seconds,
  chord,
});

const cover = (name: string, fields: Pick<Cover, 'sky' | 'disc'>): Cover => ({
  type: 'artwork',
  fileName: `demo-${name}.png`,
  contentType: 'image/png',
  ...fields,
});

/** Stores require at least 30 s; `interlude` is too short on purpose. */
export const songs = {
  dawn: song('dawn', 34, [220, 277, 330]),
  tide: song('tide', 33, [196, 247, 294]),
  ember: song('ember', 35, [174, 220, 262]),
  glass: song('glass', 32, [262, 330, 392]),
  orchard: song('orchard', 36, [147, 185, 220]),
  signal: song('signal', 33, [110, 165, 220]),
  moss: song('moss', 38, [131, 196, 233]),
  interlude: song('interlude', 12, [247, 311, 370]),
} as const;
export type SongName = keyof typeof songs;

/** Positions and sizes in thousandths of a side. */
export const covers = {
  night: cover('night', {
    sky: [
      [14, 18, 48],
      [70, 58, 120],
    ],
    disc: { colour: [244, 236, 206], x: 680, y: 320, radius: 120 },
  }),
  lantern: cover('lantern', {
    sky: [
      [92, 20, 40],
      [228, 118, 60],
    ],
    disc: { colour: [255, 214, 120], x: 500, y: 540, radius: 230 },
  }),
  field: cover('field', {
    sky: [
      [188, 214, 206],
      [66, 104, 74],
    ],
    disc: { colour: [246, 200, 92], x: 320, y: 420, radius: 150 },
  }),
  glow: cover('glow', {
    sky: [
      [8, 30, 44],
      [20, 130, 140],
    ],
    disc: { colour: [226, 92, 120], x: 500, y: 640, radius: 280 },
  }),
} as const;
export type CoverName = keyof typeof covers;

export const seedFiles: readonly SeedFile[] = [...Object.values(songs), ...Object.values(covers)];
