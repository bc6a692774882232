/** What a sheet says, before its files are looked at. */

export type Problem = { readonly where: string; readonly problem: string };

/** A request's body under construction. */
export type Fields = Record<string, unknown>;

export type SheetTrack = {
  /** `line 3` or `tracks[1]` */
  readonly where: string;
  readonly file: string | undefined;
  readonly fields: Fields;
};

export type Sheet = {
  readonly release: Fields;
  readonly cover: string | undefined;
  readonly tracks: readonly SheetTrack[];
  readonly problems: readonly Problem[];
};

/** `ai_use.recording` is a field of an object. */
export function setField(fields: Fields, path: string, value: unknown): void {
  const [name = '', inner] = path.split('.');
  if (inner === undefined) fields[name] = value;
  else fields[name] = { ...(fields[name] as Fields | undefined), [inner]: value };
}
