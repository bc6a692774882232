/** A part of the driver that `@types/pg` does not declare. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** As the driver sends a value: text, bytes, or null. */
    readonly prepareValue: (value: unknown) => string | Buffer | null;
  };
  export default utils;
}
