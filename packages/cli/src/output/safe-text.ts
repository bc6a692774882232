/**
 * Titles, reasons of stores and file names are other people's text. An escape sequence in one could rewrite what the
 * terminal shows, and a bidirectional override could show a text backwards.
 */

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const dangerous = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** For one line of a terminal: a line break is a space, everything else that controls the terminal is shown as �. */
export const safeText = (text: string): string =>
  text.replaceAll(/\r?\n|\t/g, ' ').replaceAll(dangerous, '�');

/** JSON with the same characters escaped. `JSON.stringify` escapes only those below U+0020. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
