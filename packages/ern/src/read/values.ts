/** The values of XML Schema as those of the model. What is no such value is undefined. */

type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out what the message does not say: the model has no properties that are undefined. */
export function present<T extends object>(fields: T): Present<T> {
  // The type says what the filter does.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}

/** An empty list is one that the message does not have. */
export function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function oneOf<T extends string>(
  values: readonly T[],
  token: string | undefined,
): T | undefined {
  return values.find((value) => value === token);
}

export function toBoolean(token: string | undefined): boolean | undefined {
  if (token === 'true' || token === '1') {
    return true;
  }
  return token === 'false' || token === '0' ? false : undefined;
}

/** For flags that only say yes. */
export const trueOrAbsent = (token: string | undefined): true | undefined =>
  toBoolean(token) === true ? true : undefined;

export function toNumber(token: string | undefined): number | undefined {
  return token !== undefined && /^[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/.test(token)
    ? Number(token)
    : undefined;
}

/** `PT1H3M12.345S`; `P1DT2H` counts its day as 24 hours. */
export function toDurationMs(token: string | undefined): number | undefined {
  const parts =
    /^P(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,15})?)S)?)?$/.exec(
      token ?? '',
    );
  if (parts === null || token === 'P') {
    return undefined;
  }
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts;
  const wholeMinutes = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
  return wholeMinutes * 60_000 + (secondsToMs(seconds) ?? 0);
}

/** Without floating point, so that `1.001` is 1001 ms. */
export function secondsToMs(token: string | undefined): number | undefined {
  const parts = /^(\d{1,8})(?:\.(\d{1,15}))?$/.exec(token ?? '');
  if (parts === null) {
    return undefined;
  }
  const [, whole = '0', fraction = ''] = parts;
  return Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}
