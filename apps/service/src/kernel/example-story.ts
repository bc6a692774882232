/**
 * The story that every example of the API tells: the label Northern Lights publishes the single "Night Drive" by Aurora
 * Díaz, delivers it to three stores and takes it down. Examples share these ids, and their dates are counted in days
 * from the day on which they are shown, so that a release date in an example is always in the future.
 */

import { dayOf } from './calendar-date.ts';
import { dayMs } from './duration.ts';

/** One id of each kind, by its prefix. A new prefix needs one here. */
export const exampleIds = {
  org: 'org_01m1dzpw00fzw9q22scv9gsz25',
  key: 'key_01m1e000z0eq5a45b7smtk282j',
  lbl: 'lbl_01m1dzpw00eyhvjcvzet3qxeav',
  art: 'art_01m74xy2j0fr9b3h9f3q1ev2hb',
  rel: 'rel_01m74z2pe0emj8rpmscqkq6ty7',
  ast: 'ast_01m74zn0c0fkdvvggszxx63qmy',
  trk: 'trk_01m750sm80eet8vawv9v10rf6c',
  sub: 'sub_01m77cam00frq83yyt36gjmq4m',
  dlv: 'dlv_01m77frfm0fymt1p0t9623pvf3',
  msg: 'msg_01m77frgk8ejrbcwc9baemwjtp',
  job: 'job_01m77hfde0er6bgs8rq2mzp0mp',
  wh: 'wh_01m72zj7c0f6eaabh8jztkn9p8',
  evt: 'evt_01m7avavw0e559ryprz8wfgh6j',
  att: 'att_01m7avawv8fng85fm44rxmjz4a',
  scn: 'scn_01m72w4br0ea892fjnp010ehmy',
  oac: 'oac_01m72rpg40fksrwpbvsrhdfe12',
  ocs: 'ocs_01m72rpg40egxbxy4axfk6a0wq',
  req: 'req_01m74z2pe0e92rqjmzew5t1rxc',
  aud: 'aud_01m74z2pe0egktjqzhthh6fnw9',
  inb: 'inb_01m74z2pe0f1e80cpe6yj0xky3',
  pm: 'pm_01m7cvpk40e7rs6v0h3qk2w9xd',
  pay: 'pay_01m7cxhb80f5mt2b7n4zr8gj6c',
  adj: 'adj_01m77xqh40e9hbn3v8wz2c6ktr',
  hld: 'hld_01m77vd2r0fqmt5c1xj9s4ya7e',
  stm: 'stm_01m77wd2r0fqmt5c1xj9s4ya7f',
  roy: 'roy_0000000001hqmt5c1xj9s4ya7f',
  sli: 'sli_0000000001hqmt5c1xj9s4ya7f',
  rpt: 'rpt_01m77q5me0e1xt3c9xj9s4yb2k',
} as const;

/** The address of the service. */
export const exampleOrigin = 'https://sandbox.tonearm.example';

export type ExamplePrefix = keyof typeof exampleIds;

/** `ast` is the audio of the first track. */
export const otherAudioExampleId = 'ast_01m74zptz0eeba9bjcakswtjx4';
export const artworkExampleId = 'ast_01m74zrnj0ezx99gtfxxf0mr8h';
/** The instrumental. */
export const otherTrackExampleId = 'trk_01m750vev0eqabbnfmyft2v9b4';
/** `req` created the release, and this one the artist. */
export const otherRequestExampleId = 'req_01m74xy2j0e8bt4r6zq3m9kw5d';
/** A second record of the same artist, to merge. */
export const otherArtistExampleId = 'art_01m74y1qr0ffqs5g2jtem9vvs5';

/** A list that ends on this page. */
export const examplePage = <T>(...data: readonly T[]) => ({
  data,
  next_cursor: null,
  has_more: false,
});

const signed = (days: number): string => (days < 0 ? String(days) : `+${days}`);

/** A day, counted from the day on which the example is shown. `datedExample` replaces the text by the date. */
export const exampleDay = (days: number): string => `{{day${signed(days)}}}`;

/** A moment of such a day, in UTC. */
export const exampleTime = (days: number, time = '09:30:00.000'): string =>
  `{{day${signed(days)}}}T${time}Z`;

/** The year of such a day, for copyright lines. */
export const exampleYear = (days: number): string => `{{year${signed(days)}}}`;

const placeholder = /\{\{(day|year)([+-]\d+)\}\}/g;

/** The example with the dates that it has when it is shown at `now`. */
export function datedExample<T>(example: T, now: Date): T {
  const toText = (_: string, part: string, days: string): string => {
    const date = dayOf(new Date(now.getTime() + Number(days) * dayMs));
    return part === 'year' ? date.slice(0, 4) : date;
  };
  // The text of an example is JSON, and so is the text with dates in it.
  return JSON.parse(JSON.stringify(example).replaceAll(placeholder, toText)) as T;
}
