import { describe, expect, it } from 'vitest';
import { FrameFile } from '../../src/data/frame_file';
import { FrameCache } from '../../src/data/frame_cache';
import { FrameStream } from '../../src/data/frame_stream';
import { chunk } from '../sample/frame_bytes.mjs';
import { CountedSource, sampleRun, sourceOf } from './run_folder';

function joined(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

describe('a file of frames', () => {
  it('is found by its index, and tells header, rest shape and frames', async () => {
    const { bytes, written } = sampleRun();
    const file = await FrameFile.open(sourceOf(bytes));
    expect(file.count).toBe(12);
    expect(file.ended).toBe(true);
    expect(file.header.integrator).toBe('sample');
    expect(file.header.fields.map(({ name }) => name)).toEqual(['position', 'velocity', 'stress', 'contact']);
    expect(file.triangles.length).toBe(3 * 8 * 16);
    expect(file.time(11)).toBeCloseTo(1.1, 12);
    const [frame] = await file.read(5);
    expect(frame.step).toBe(20);
    expect(frame.time).toBe(written.places[5].time);
    expect(frame.values.length).toBe(8 * file.header.points);
  });

  it('is walked from chunk to chunk where it has no index, to the same frames', async () => {
    for (const nodes of [0, 50, 20000]) {
      const whole = await FrameFile.open(sourceOf(sampleRun({ nodes }).bytes));
      const walked = await FrameFile.open(sourceOf(sampleRun({ nodes, ending: 'none' }).bytes));
      expect(walked.ended).toBe(false);
      expect(walked.count).toBe(whole.count);
      for (let i = 0; i < whole.count; ++i) expect(walked.time(i)).toBe(whole.time(i));
      expect((await walked.read(7))[0].values).toEqual((await whole.read(7))[0].values);
    }
  });

  it('is walked without reading what lies between the heads of chunks', async () => {
    const { bytes } = sampleRun({ nodes: 20000, ending: 'none', frames: 40 });
    const source = new CountedSource(bytes);
    const file = await FrameFile.open(source);
    expect(file.count).toBe(40);
    expect(source.bytesRead).toBeLessThan(bytes.length / 10);
  });

  it('ends before a half-written frame', async () => {
    const { bytes, written } = sampleRun({ ending: 'none' });
    for (const cut of [1, 9, 17, 1000]) {
      const file = await FrameFile.open(sourceOf(bytes.subarray(0, bytes.length - cut)));
      expect(file.count).toBe(11);
    }
    const headOnly = await FrameFile.open(sourceOf(bytes.subarray(0, written.places[4].frame + 10)));
    expect(headOnly.count).toBe(4);
    const zeros = await FrameFile.open(sourceOf(joined(bytes.subarray(0, written.places[4].frame), new Uint8Array(4096))));
    expect(zeros.count).toBe(4);
  });

  it('is walked where the index is damaged', async () => {
    const { bytes } = sampleRun();
    const damaged = bytes.slice();
    damaged[bytes.length - 30] ^= 1;
    const file = await FrameFile.open(sourceOf(damaged));
    expect(file.count).toBe(12);
    expect(file.ended).toBe(false);
  });

  it('refuses a frame with a flipped bit, and no other', async () => {
    const { bytes, written } = sampleRun();
    const damaged = bytes.slice();
    damaged[written.places[3].frame + 16 + 200] ^= 4;
    const file = await FrameFile.open(sourceOf(damaged));
    await expect(file.read(3)).rejects.toThrow(/frame 3 .*damaged, its checksum is wrong/);
    expect((await file.read(4))[0].number).toBe(4);
    const frames = new FrameStream(file, new FrameCache(1 << 20), 'a');
    frames.prefetch(0, 8); // all in one request, which fails as a whole
    expect((await frames.frame(2)).number).toBe(2);
    await expect(frames.frame(3)).rejects.toThrow(/checksum/);
    expect(frames.settled(3)).toBe(true);
  });

  it('is refused where the header or the triangles are damaged', async () => {
    const { bytes } = sampleRun();
    const damaged = bytes.slice();
    damaged[16 + 16 + 5] ^= 4;
    await expect(FrameFile.open(sourceOf(damaged))).rejects.toThrow(/frames.rbt cannot be shown: it is damaged.*HEAD/);
  });

  it('is refused where it is something else, or newer', async () => {
    await expect(FrameFile.open(sourceOf(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\n')))).rejects.toThrow(/no file of frames/);
    const newer = sampleRun().bytes;
    newer[8] = 2;
    await expect(FrameFile.open(sourceOf(newer))).rejects.toThrow(/version 2/);
    await expect(FrameFile.open(sourceOf(new Uint8Array(0)))).rejects.toThrow(/no file of frames/);
  });

  it('may hold chunks of unknown kind', async () => {
    const { bytes, written } = sampleRun({ ending: 'none' });
    const at = written.places[2].frame;
    const more = joined(bytes.subarray(0, at), chunk('XTRA', new Uint8Array(37)), bytes.subarray(at));
    const file = await FrameFile.open(sourceOf(more));
    expect(file.count).toBe(12);
    expect((await file.read(2))[0].number).toBe(2);
  });

  it('grows while it is looked at, and may be cut', async () => {
    const { bytes, written } = sampleRun();
    const source = new CountedSource(bytes.subarray(0, written.places[5].frame + 40));
    const file = await FrameFile.open(source);
    expect(file.count).toBe(5);
    expect(await file.refresh()).toBe('same');
    source.bytes = bytes.subarray(0, written.places[9].frame);
    expect(await file.refresh()).toBe('grown');
    expect(file.count).toBe(9);
    source.bytes = bytes;
    expect(await file.refresh()).toBe('grown');
    expect(file.count).toBe(12);
    expect(file.ended).toBe(true);
    source.bytes = bytes.subarray(0, written.places[6].frame);
    expect(await file.refresh()).toBe('cut');
    expect(file.count).toBe(6);
  });

  it('shows at any time the last frame at or before it', async () => {
    const file = await FrameFile.open(sourceOf(sampleRun().bytes)); // frames 0.1 s apart
    expect([-1, 0, 0.05, 0.0999999, 0.1, 0.55, 9].map((t) => file.frameAt(t))).toEqual([0, 0, 0, 0, 1, 5, 11]);
  });

  it('brings neighbouring frames with one request', async () => {
    const source = new CountedSource(sampleRun().bytes);
    const file = await FrameFile.open(source);
    const frames = new FrameStream(file, new FrameCache(1 << 20), 'a');
    const before = source.reads;
    frames.prefetch(2, 6);
    await frames.frame(5);
    expect(source.reads - before).toBe(1);
    expect(frames.present(8)?.number).toBe(8);
    expect(frames.present(9)).toBeUndefined();
  });
});
