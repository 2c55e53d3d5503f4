import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage, ready } from './browser.mjs';
import { dist, threeRuns } from './samples.mjs';
import { serve } from './server.mjs';
import { writeRun } from '../sample/bouncing_ball.mjs';

let browser, samples;
before(async () => {
  browser = await launch();
  samples = threeRuns();
});
after(async () => {
  await browser.close();
  samples.remove();
});

async function withRuns(runs, act) {
  const server = await serve(dist, runs);
  const { page, complaints, close } = await openPage(browser, server.url);
  await ready(page);
  await act(page);
  assert.deepEqual(complaints, []);
  await close();
  server.close();
}

test('tells of a damaged frame and shows the others', async () => {
  const folder = join(samples.root, 'damaged');
  const { places } = writeRun(folder, { pieces: 6, frames: 20, duration: 1 });
  const bytes = readFileSync(join(folder, 'frames.rbt'));
  bytes[places[7].frame + 100] ^= 16;
  writeFileSync(join(folder, 'frames.rbt'), bytes);
  await withRuns([{ name: 'damaged', folder }], async (page) => {
    await page.evaluate((t) => window.Rubato.current.seek(t), places[7].time);
    await page.waitForSelector('.rb-wrong');
    assert.match(await page.textContent('.rb-message'), /frame 7 .*damaged, its checksum is wrong/);
    await page.click('.rb-message button');
    assert.equal(await page.locator('.rb-wrong').count(), 0);
    await page.evaluate(() => window.Rubato.current.seek(0));
    await page.evaluate(() => window.Rubato.current.play());
    await page.waitForFunction(() => window.Rubato.current.time() > 0.6); // past the damaged one
  });
});

test('tells of a file that is none of frames', async () => {
  const folder = join(samples.root, 'wrong');
  mkdirSync(folder);
  writeFileSync(join(folder, 'frames.rbt'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  writeFileSync(join(folder, 'stats.csv'), 'time,total\n0,1\n');
  await withRuns([{ name: 'wrong', folder }], async (page) => {
    assert.match(await page.textContent('.rb-message'), /cannot be shown: it is no file of frames/);
    assert.ok(await page.locator('.rb-empty').isVisible());
  });
});

test('shows frames of a run that goes on as they come', async () => {
  const folder = join(samples.root, 'live');
  const { places } = writeRun(folder, { pieces: 6, frames: 20, duration: 1, ending: 'none' });
  const file = join(folder, 'frames.rbt');
  const bytes = readFileSync(file);
  truncateSync(file, places[8].frame + 30);
  await withRuns([{ name: 'live', folder, live: true }], async (page) => {
    assert.equal(await page.textContent('.rb-frame'), 'frame 0 of 7');
    appendFileSync(file, bytes.subarray(places[8].frame + 30));
    await page.waitForFunction(() => document.querySelector('.rb-frame').textContent.endsWith('of 19'), null, { timeout: 8000 });
  });
});

test('opens what is dropped on it', async () => {
  await withRuns([], async (page) => {
    assert.ok(await page.locator('.rb-empty').isVisible());
    const frames = readFileSync(join(samples.runs[2].folder, 'frames.rbt')).toString('base64');
    const stats = readFileSync(join(samples.runs[2].folder, 'stats.csv'), 'utf8');
    await page.evaluate(
      ([base64, csv]) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], 'frames.rbt'));
        transfer.items.add(new File([csv], 'stats.csv'));
        document.querySelector('.rubato').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      },
      [frames, stats],
    );
    await page.waitForFunction(() => document.querySelector('.rb-frame').textContent === 'frame 0 of 60');
    assert.equal(await page.textContent('.rb-name'), 'a-search');
    await page.waitForSelector('.rb-value[data-column="total"]');
  });
});

test('is one script that reports can paste, with everything in it', async () => {
  const script = readFileSync(join(dist, 'viewer.js'), 'utf8');
  assert.ok(!/<\/script/i.test(script) && !script.includes('<!--'));
  const frames = readFileSync(join(samples.runs[1].folder, 'frames.rbt')).toString('base64');
  const stats = readFileSync(join(samples.runs[1].folder, 'stats.csv'), 'utf8');
  const { page, complaints, close } = await openPage(browser, 'about:blank');
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.setContent(`<!doctype html><title>Report</title><h1>Report</h1><div id="here" style="height:600px"></div><script>${script}</script>
    <script>
      const bytes = Uint8Array.from(atob(${JSON.stringify(frames)}), (c) => c.charCodeAt(0));
      Rubato.mount(document.getElementById('here'), { runs: [{ name: 'bdf2', frames: bytes.buffer, stats: { text: ${JSON.stringify(stats)} } }] });
    </script>`);
  await ready(page);
  await page.evaluate(() => window.Rubato.current.seek(1));
  assert.equal(await page.textContent('.rb-frame'), 'frame 20 of 60');
  await page.evaluate(() => window.Rubato.current.dispose());
  assert.equal(await page.locator('.rubato').count(), 0);
  assert.deepEqual(requests, []);
  assert.deepEqual(complaints, []);
  await close();
});

test('plots also where there is no WebGL', async () => {
  const server = await serve(dist, [samples.runs[2]]);
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith('webgl') ? null : get.call(this, kind, ...more);
    };
  });
  await page.goto(server.url);
  await ready(page);
  assert.match(await page.textContent('.rb-message'), /no WebGL 2/);
  await page.evaluate(() => window.Rubato.current.seek(1));
  assert.notEqual(await page.getAttribute('.rb-value[data-column="total"]', 'data-value'), '');
  assert.deepEqual(complaints, []);
  await context.close();
  server.close();
});
