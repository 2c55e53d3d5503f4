// A map from dark indigo over blue and green to light yellow, through the stops that Rubato's own pictures use. Between
// them it goes straight in OKLab, where distances are close to differences that the eye sees, and it is walked through at
// constant speed: equal differences of a value look equally different.

type Triple = [number, number, number];

const stops: Triple[] = [
  [46, 36, 104],
  [52, 88, 168],
  [38, 138, 166],
  [66, 182, 132],
  [168, 212, 84],
  [252, 232, 96],
];

const decoded = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const encoded = (l: number): number => (l <= 0.0031308 ? 12.92 * l : 1.055 * l ** (1 / 2.4) - 0.055);

/** sRGB 0 to 255 as OKLab: lightness, green to red, blue to yellow (Ottosson 2020). */
export function oklabOf(rgb: Triple): Triple {
  const [r, g, b] = rgb.map((c) => decoded(c / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

export function rgbOf([L, a, b]: Triple): Triple {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb: Triple = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return rgb.map((c) => 255 * encoded(Math.min(1, Math.max(0, c)))) as Triple;
}

const places = stops.map(oklabOf);
const lengths = places.slice(1).map((to, i) => Math.hypot(...to.map((c, k) => c - places[i][k])));
const total = lengths.reduce((a, b) => a + b);

/** The colour of a share from 0 to 1, as sRGB 0 to 255. */
export function mapColour(share: number): Triple {
  let way = Math.min(1, Math.max(0, share)) * total;
  let i = 0;
  while (i < lengths.length - 1 && way > lengths[i]) way -= lengths[i++];
  const s = Math.min(1, way / lengths[i]);
  return rgbOf(places[i].map((c, k) => c + s * (places[i + 1][k] - c)) as Triple);
}

/** The map as pixels, for a texture: `width` colours with opacity 255. */
export function mapPixels(width: number): Uint8Array {
  const pixels = new Uint8Array(4 * width);
  for (let i = 0; i < width; ++i) pixels.set([...mapColour(i / (width - 1)).map(Math.round), 255], 4 * i);
  return pixels;
}

/** Between two colours #rrggbb, as the eye finds it. */
export function mixedColours(from: string, to: string, share: number): string {
  const triple = (hex: string): Triple => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)) as Triple;
  const a = oklabOf(triple(from));
  const b = oklabOf(triple(to));
  const rgb = rgbOf(a.map((c, k) => c + share * (b[k] - c)) as Triple);
  return '#' + rgb.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('');
}

/** Colours of bodies, in their order: coral, blue, amber, green, violet, rose, brown, sky, olive, slate. */
const bodyColours = ['#f0714f', '#3e96c8', '#ecb242', '#58a470', '#8c6ab0', '#da7ea8', '#a0704a', '#68b8d6', '#a0aa42', '#627086'];

export function bodyColour(i: number): string {
  const base = bodyColours[i % bodyColours.length];
  const round = Math.floor(i / bodyColours.length) % 3;
  return round === 1 ? mixedColours(base, '#ffffff', 0.4) : round === 2 ? mixedColours(base, '#000000', 0.3) : base;
}
