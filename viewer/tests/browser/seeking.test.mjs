// Measures, and does not judge: how long it takes to see another frame of a large run, and what memory that takes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { launch, openPage, ready } from './browser.mjs';
import { dist } from './samples.mjs';
import { serve } from './server.mjs';
import { writeRun } from '../sample/bouncing_ball.mjs';

const frames = 300;

/** Resident memory of the process of the page [MB], and time of processors that it and the one that draws took [s]. */
async function use(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const megabytes = (id) => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  const time = processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  return { time, resident: Math.round(Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => megabytes(id)))) };
}

test('seeks in 100 000 triangles and 300 frames', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubato-viewer-'));
  const browser = await launch();
  try {
    const { header, bytes } = writeRun(folder, { pieces: 112, frames, duration: 10, keeps: 0.9 });
    const server = await serve(dist, [{ name: 'large', folder }]);
    const started = Date.now();
    const { page, complaints } = await openPage(browser, server.url);
    await ready(page);
    const opened = Date.now() - started;
    const seeks = (order) =>
      page.evaluate(async (numbers) => {
        const gl = document.querySelector('.rb-stage canvas').getContext('webgl2');
        const times = [];
        for (const number of numbers) {
          const from = performance.now();
          await window.Rubato.current.seek((number * 10) / 299 + 1e-6);
          gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits until it is drawn
          times.push(performance.now() - from);
        }
        return { times, heap: performance.memory.usedJSHeapSize / 1e6, ...window.Rubato.current.memory() };
      }, order);
    const before = { ...(await seeks([0])), ...(await use(browser)) };
    const forward = await seeks(Array.from({ length: frames }, (_, i) => i));
    const jumps = await seeks(Array.from({ length: 100 }, (_, i) => (i * 127) % frames));
    const after = { ...(await use(browser)), ...(await seeks([0])) };
    const mean = (times) => (times.reduce((a, b) => a + b) / times.length).toFixed(0);
    const worst = (times) => Math.max(...times).toFixed(0);
    console.log(`  ${header.triangles} triangles, ${frames} frames, ${(bytes / 1e6).toFixed(0)} MB, opened in ${opened} ms`);
    console.log(`  frame after frame: mean ${mean(forward.times)} ms, worst ${worst(forward.times)} ms`);
    console.log(`  jumps:             mean ${mean(jumps.times)} ms, worst ${worst(jumps.times)} ms`);
    console.log(`  processor time of a seek, all threads together: ${((1000 * (after.time - before.time)) / (frames + 100)).toFixed(0)} ms`);
    console.log(`  JS heap ${before.heap.toFixed(0)} MB before, ${after.heap.toFixed(0)} MB after; resident ${before.resident} MB before, ${after.resident} MB after`);
    console.log(`  cache ${(after.bytes / 1e6).toFixed(0)} of ${(after.capacity / 1e6).toFixed(0)} MB, ${after.frames} frames`);
    assert.ok(after.bytes <= after.capacity);
    assert.deepEqual(complaints, []);
    server.close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
