/** Flags with amounts, currencies, dates and months. */

import { type CalendarDate, isCalendarDate } from '../../kernel/calendar-date.ts';
import { type Currency, isCurrency } from '../../kernel/currency.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { type Micros, parseMicros, toMicros } from '../../kernel/money.ts';
import { isMonth, type Month } from '../../kernel/month.ts';
import { isTerritoryCode, nearTerritory } from '../../kernel/territory.ts';
import { type Flags, required, UsageError } from './command.ts';

export function currencyOf(flags: Flags, name = 'currency'): Currency {
  const code = required(flags, name);
  if (!isCurrency(code)) throw new UsageError(`--${name} must be an ISO 4217 code such as EUR.`);
  return code;
}

export function amountOf(flags: Flags, name: string): Micros {
  const amount = parseMicros(required(flags, name));
  if (amount === undefined) {
    throw new UsageError(
      `--${name} must be an amount with a decimal point and at most six decimals, such as 12.34.`,
    );
  }
  return amount;
}

export const optionalAmount = (flags: Flags, name: string): Micros =>
  flags[name] === undefined ? toMicros(0n) : amountOf(flags, name);

export function dateOf(flags: Flags, name: string): CalendarDate {
  const date = required(flags, name);
  if (!isCalendarDate(date)) {
    throw new UsageError(`--${name} must be a date of the calendar such as 2027-01-31.`);
  }
  return date;
}

export const optionalDate = (flags: Flags, name: string): CalendarDate | null =>
  flags[name] === undefined ? null : dateOf(flags, name);

export function monthOf(flags: Flags, name: string): Month {
  const month = required(flags, name);
  if (!isMonth(month)) throw new UsageError(`--${name} must be a month such as 2026-11.`);
  return month;
}

const basisPointsMax = 10_000;

export function basisPointsOf(flags: Flags): number {
  const text = required(flags, 'basis-points');
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > basisPointsMax) {
    throw new UsageError('--basis-points must be a whole number from 0 to 10000; 1500 is 15 %.');
  }
  return value;
}

export function territoryOf(flags: Flags, name: string): string {
  const code = required(flags, name);
  if (!isTerritoryCode(code)) {
    throw new UsageError(
      `--${name} must be an ISO 3166-1 alpha-2 code such as US${nearTerritory(code) || '.'}`,
    );
  }
  return code;
}

export function idOf<Prefix extends string>(
  flags: Flags,
  name: string,
  prefix: Prefix,
): Id<Prefix> {
  const id = parseId(prefix, required(flags, name));
  if (id === undefined)
    throw new UsageError(`--${name} must be an id that begins with ${prefix}_.`);
  return id;
}
