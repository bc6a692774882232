type MaybeNull<T> = { readonly [Name in keyof T]: T[Name] | null | undefined };

/** The fields that have a value: the model of messages has no null and no undefined. */
export const withoutNulls = <T extends object>(fields: MaybeNull<T>): T =>
  // The filter removes exactly what MaybeNull adds.
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as T;
