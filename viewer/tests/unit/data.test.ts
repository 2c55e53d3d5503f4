import { describe, expect, it } from 'vitest';
import { bodyColour, mapColour, mixedColours, oklabOf } from '../../src/data/colour_map';
import { scaleEnd } from '../../src/data/colouring';
import { crc32 } from '../../src/data/crc32';
import { FrameCache } from '../../src/data/frame_cache';
import { spread } from '../../src/data/overview';
import { belowZero, quantityText, shareText } from '../../src/data/quantity_text';
import { Stats } from '../../src/data/stats';
import { checksum } from '../sample/frame_bytes.mjs';

describe('CRC-32', () => {
  it('is that of zlib', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    for (const length of [0, 1, 7, 8, 9, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 131) ^ (i >> 3));
      expect(crc32(bytes)).toBe(checksum(bytes));
    }
  });
});

describe('the table of a run', () => {
  const text = 'step,time,total,target,px,py,pz\n0,0,10,,3,4,0\n1,0.5,9.25,,0,0,2\n2,0.75,8.5,,1,2,2\n';

  it('is read by the names of its columns, empty cells included', () => {
    const stats = Stats.read(text);
    expect(stats.rows).toBe(3);
    expect([...(stats.column('total') ?? [])]).toEqual([10, 9.25, 8.5]);
    expect(stats.column('target')).toBeUndefined();
    expect(stats.column('height')).toBeUndefined();
    expect([...(stats.column('|p|') ?? [])]).toEqual([5, 2, 3]);
    expect(Stats.read('time,h\n0,\n0.5,0.5\n').value('h', 0)).toBeNaN();
  });

  it('gives the row nearest in time, of two the earlier', () => {
    const stats = Stats.read(text);
    expect([-1, 0, 0.24, 0.25, 0.26, 0.5, 0.6249, 0.626, 0.75, 99].map((t) => stats.rowNearest(t))).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
    expect(Stats.read('time,total\n').rowNearest(1)).toBe(-1);
  });

  it('may end in the middle of a line', () => {
    expect(Stats.read('time,total,wall\n0,10,0\n0.5,9').rows).toBe(1);
    expect(Stats.read('time,total\r\n0,10\r\n0.5,9\r\n').value('total', 1)).toBe(9);
    expect(Stats.read('').rows).toBe(0);
  });
});

describe('the colour map', () => {
  it('becomes lighter evenly, from dark indigo to light yellow', () => {
    const places = Array.from({ length: 65 }, (_, i) => oklabOf(mapColour(i / 64)));
    const steps = places.slice(1).map((to, i) => Math.hypot(...to.map((c, k) => c - places[i][k])));
    const mean = steps.reduce((a, b) => a + b) / steps.length;
    for (const step of steps) expect(Math.abs(step / mean - 1)).toBeLessThan(0.15); // less where the path bends
    for (let i = 1; i < places.length; ++i) expect(places[i][0]).toBeGreaterThan(places[i - 1][0]);
    expect(places[0][0]).toBeLessThan(0.35);
    expect(places[64][0]).toBeGreaterThan(0.9);
  });

  it('ends at its ends', () => {
    expect(mapColour(-1)).toEqual(mapColour(0));
    expect(mapColour(2).map(Math.round)).toEqual([252, 232, 96]);
    expect(mixedColours('#102030', '#ffffff', 0)).toBe('#102030');
    expect(bodyColour(0)).not.toBe(bodyColour(10));
  });

  it('has scales that single peaks do not stretch', () => {
    const values = new Float32Array(1000).map((_, i) => i / 1000);
    values[999] = 1e6;
    expect(scaleEnd(values, false)).toBe(1e6);
    expect(scaleEnd(values, true)).toBeLessThan(1.001);
    expect(scaleEnd(new Float32Array(300), true)).toBe(0);
  });
});

describe('the cache', () => {
  it('never holds more bytes than it may, and drops what was used longest ago', () => {
    const cache = new FrameCache<number>(100);
    for (let i = 0; i < 50; ++i) {
      cache.put(`k${i}`, i, 30);
      expect(cache.bytes).toBeLessThanOrEqual(100);
    }
    expect(cache.size).toBe(3);
    cache.get('k47');
    cache.put('new', 1, 30);
    expect(cache.has('k47')).toBe(true);
    expect(cache.has('k48')).toBe(false);
    cache.put('new', 2, 20);
    expect(cache.bytes).toBe(80);
  });

  it('keeps a thing that is larger than all of it alone', () => {
    const cache = new FrameCache<number>(100);
    cache.put('small', 1, 10);
    cache.put('huge', 2, 500);
    expect(cache.size).toBe(1);
    expect(cache.get('huge')).toBe(2);
    cache.put('small', 1, 10);
    expect(cache.bytes).toBe(10);
  });
});

describe('numbers as text', () => {
  it('carry units with SI prefixes', () => {
    expect(quantityText(5300, 'Pa', 3)).toBe('5.30\u202fkPa');
    expect(quantityText(-0.00123, 'J', 3)).toBe('\u22121.23\u202fmJ');
    expect(quantityText(0, 'J')).toBe('0\u202fJ');
    expect(quantityText(NaN, 'J')).toBe('–');
    expect(quantityText(1234.5, 'kg m/s', 5)).toBe('1234.5\u202fkg m/s');
    expect(quantityText(6, '')).toBe('6');
    expect(shareText(0.982)).toBe('98.2\u202f%');
    expect(shareText(-0.00001)).toBe('0.00\u202f%');
    expect(shareText(-0.4)).toBe('below\u202f0');
    expect([-0.4, -0.00001, 0, 0.982, NaN, -Infinity].map(belowZero)).toEqual([true, false, false, false, false, false]);
    expect(shareText(-40)).not.toMatch(/[-\u2212]/);
  });
});

describe('frames looked at beforehand', () => {
  it('are spread over the run and hold its ends', () => {
    expect(spread(3, 10)).toEqual([0, 1, 2]);
    expect(spread(101, 5)).toEqual([0, 25, 50, 75, 100]);
  });
});
