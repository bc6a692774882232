import pg from 'pg';

/** A date has no time and no zone; the driver would turn it into a local midnight and lose the day. */
export const typeParsers = {
  getTypeParser: ((...args: Parameters<typeof pg.types.getTypeParser>) =>
    args[0] === pg.types.builtins.DATE
      ? (text: string) => text
      : pg.types.getTypeParser(...args)) as typeof pg.types.getTypeParser,
};
