/** Sizes, times and amounts as people read them. */

const sizeUnits = ['B', 'kB', 'MB', 'GB'];

export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < sizeUnits.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${sizeUnits[unit]}`;
}

/** `3:05` */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `2026-11-18 03:12` in UTC, as the API says it. */
export const timeText = (iso: string | null): string =>
  iso === null ? '' : iso.slice(0, 16).replace('T', ' ');

const durationUnits: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90s`, `10m`, `6h`, `3d` in milliseconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = durationUnits[unit];
  return seconds === undefined ? undefined : Number(count) * seconds * 1_000;
}

const microDigits = 6;

/** An amount of the API (`"12.345678"`) as whole millionths, because floating point numbers would lose some. */
export function microsOf(amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const micros = BigInt(whole + fraction.padEnd(microDigits, '0').slice(0, microDigits));
  return sign === '-' ? -micros : micros;
}

/** With two decimals, rounded half away from zero, and groups of three digits: `1,234.57`. */
export function moneyText(micros: bigint): string {
  const magnitude = micros < 0n ? -micros : micros;
  const cents = (magnitude + 5_000n) / 10_000n;
  const whole = (cents / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const sign = micros < 0n && cents > 0n ? '-' : '';
  return `${sign}${whole}.${(cents % 100n).toString().padStart(2, '0')}`;
}

export const countText = (count: number): string =>
  String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
