const prefixes: [number, string][] = [
  [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'],
]; // prettier-ignore

const minus = '\u2212';
const thin = '\u202f';

function plain(value: number, digits: number): string {
  const text = Number(value.toPrecision(digits));
  if (text !== 0 && (Math.abs(text) >= 1e6 || Math.abs(text) < 1e-4)) {
    const [mantissa, exponent] = text.toExponential(digits - 1).split('e');
    return `${mantissa}e${Number(exponent)}`.replace(/-/g, minus);
  }
  return value.toPrecision(digits).includes('e') ? String(text) : value.toPrecision(digits).replace('-', minus);
}

/** The prefix that suits a value: [1000, 'k'] for 5300. Units of several factors, such as kg m/s, take none. */
export function prefixFor(value: number, unit: string): [number, string] {
  const size = Math.abs(value);
  if (!/^[A-Za-z]+(\/[a-z]+)?$/.test(unit) || unit.startsWith('kg') || size === 0 || !Number.isFinite(size)) return [1, ''];
  return prefixes.find(([factor]) => size >= factor * 0.9995) ?? [1, ''];
}

/** A value with its unit and an SI prefix: "5.30 kPa". Counts have no unit and are written in full. */
export function quantityText(value: number, unit: string, digits = 4): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  if (unit === '') return Number.isInteger(value) ? String(value).replace('-', minus) : plain(value, digits);
  const [factor, prefix] = prefixFor(value, unit);
  return `${value === 0 ? '0' : plain(value / factor, digits)}${thin}${prefix}${unit}`;
}

function percentDigits(share: number): string {
  const percent = 100 * share;
  return percent.toFixed(Math.abs(percent) >= 1000 ? 0 : Math.abs(percent) >= 10 ? 1 : 2);
}

/** Whether less is left than nothing, in the digits that are shown. */
export function belowZero(share: number): boolean {
  return Number.isFinite(share) && Number(percentDigits(share)) < 0;
}

/** A share that is kept, as per cent: "98.2 %"; "below 0" where less is left than nothing, which is no share. */
export function shareText(share: number): string {
  if (!Number.isFinite(share)) return '–';
  if (belowZero(share)) return `below${thin}0`;
  return `${percentDigits(share).replace('-', '')}${thin}%`; // never minus zero
}
