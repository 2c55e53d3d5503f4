import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage, ready } from './browser.mjs';
import { dist, nearest, table, threeRuns } from './samples.mjs';
import { serve } from './server.mjs';

let browser, samples, servers;
before(async () => {
  browser = await launch();
  samples = threeRuns();
  servers = { one: await serve(dist, [samples.runs[2]]), two: await serve(dist, samples.runs.slice(1)), three: await serve(dist, samples.runs) };
});
after(async () => {
  await browser.close();
  Object.values(servers).forEach((server) => server.close());
  samples.remove();
});

/** Opens a page, and at the end checks that nothing was complained about. */
async function onPage(server, act, options) {
  const { page, complaints, close } = await openPage(browser, server.url, options);
  await ready(page);
  await act(page);
  assert.deepEqual(complaints, []);
  await close();
}

/** A few numbers that differ when the picture differs. */
function pictureSum(page) {
  return page.evaluate(async () => {
    const canvas = document.querySelector('.rb-stage canvas');
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [64, 40];
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await window.Rubato.current.seek(window.Rubato.current.time());
    window.Rubato.current.set({}); // draws with the next frame
    await new Promise((resolve) => requestAnimationFrame(() => {
      const ink = copy.getContext('2d');
      ink.drawImage(canvas, 0, 0, 64, 40);
      resolve();
    })); // prettier-ignore
    return [...copy.getContext('2d').getImageData(0, 0, 64, 40).data].reduce((a, b, i) => (a * 31 + b * (i % 7)) % 1000003, 0);
  });
}

test('plays, pauses and loops', async () => {
  await onPage(servers.one, async (page) => {
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.Rubato.current.time() > 0.3);
    await page.click('.rb-play');
    assert.equal(await page.evaluate(() => window.Rubato.current.playing()), false);
    const time = await page.evaluate(() => window.Rubato.current.time());
    await page.waitForTimeout(150);
    assert.equal(await page.evaluate(() => window.Rubato.current.time()), time);
    await page.evaluate(() => window.Rubato.current.seek(2.9));
    await page.click('.rb-play');
    await page.waitForFunction(() => window.Rubato.current.time() < 1);
    await page.click('.rb-play');
    await page.click('.rb-loop');
    await page.evaluate(() => window.Rubato.current.seek(2.95));
    await page.keyboard.press('Tab'); // off the button, which would take the space for itself
    await page.click('.rb-play');
    await page.waitForFunction(() => !window.Rubato.current.playing());
    assert.equal(await page.evaluate(() => window.Rubato.current.time()), 3);
  });
});

test('steps by frames, scrubs, and seeks by dragging in a plot', async () => {
  await onPage(servers.one, async (page) => {
    const frame = () => page.textContent('.rb-frame');
    assert.equal(await frame(), 'frame 0 of 60');
    await page.click('.rb-forward');
    assert.equal(await frame(), 'frame 1 of 60');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await frame(), 'frame 12 of 60');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await frame(), 'frame 11 of 60');
    await page.keyboard.press('End');
    assert.equal(await frame(), 'frame 60 of 60');
    await page.keyboard.press('Home');
    assert.equal(await page.textContent('.rb-clock'), '0.000 s');
    await page.locator('.rb-bar').fill('1.5');
    assert.equal(await frame(), 'frame 30 of 60');
    const box = await page.locator('.u-over').boundingBox();
    await page.mouse.move(box.x + box.width * 0.2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 3, box.y + 20, { steps: 4 });
    await page.mouse.up();
    const time = await page.evaluate(() => window.Rubato.current.time());
    assert.ok(Math.abs(time - 1) < 0.01, `a third of 3 s, and not ${time}`);
    const cursor = await page.locator('.rb-plot-cursor').boundingBox();
    assert.ok(Math.abs(cursor.x + 0.75 - (box.x + box.width / 3)) < 1.5, 'the cursor is where the mouse is');
  });
});

test('shows every colouring, edges, dark, cameras', async () => {
  await onPage(servers.one, async (page) => {
    await page.evaluate(() => window.Rubato.current.seek(0.45));
    const seen = new Map();
    for (const colour of ['body', 'displacement', 'speed', 'stress', 'contact']) {
      await page.selectOption('.rb-controls select >> nth=0', colour);
      seen.set(await pictureSum(page), colour);
      assert.equal(await page.locator('.rb-scale').isVisible(), colour !== 'body');
    }
    assert.equal(seen.size, 5, 'five different pictures');
    assert.match(await page.textContent('.rb-scale-title'), /Contact force \[.?N\]/);
    await page.click('.rb-scale .rb-toggle >> text=log');
    await page.click('.rb-scale .rb-toggle >> text=run');
    assert.equal(await page.evaluate(() => window.Rubato.current.settings().range), 'frame');
    for (const key of ['c', 'w', '2', '3', '4', '1', 'f', 'd']) await page.keyboard.press(key);
    const settings = await page.evaluate(() => window.Rubato.current.settings());
    assert.deepEqual([settings.colour, settings.wireframe, settings.camera, settings.dark], ['body', true, 'three-quarter', true]);
    assert.equal(await page.getAttribute('.rubato', 'data-theme'), 'dark');
    await page.keyboard.press('+');
    assert.equal(await page.evaluate(() => window.Rubato.current.settings().speed), 2);
    await page.keyboard.press('?');
    assert.ok(await page.locator('.rb-help').isVisible());
    await page.keyboard.press('Escape');
  });
});

test('tells the energies of the row of stats.csv that is nearest in time', async () => {
  const rows = table(readFileSync(join(samples.runs[2].folder, 'stats.csv'), 'utf8'));
  await onPage(servers.one, async (page) => {
    for (const time of [0, 0.4333, 0.4704, 1.2345, 2.999]) {
      await page.evaluate((t) => window.Rubato.current.seek(t), time);
      const row = nearest(rows, time);
      for (const column of ['kinetic', 'elastic', 'gravity', 'contact', 'total', 'target']) {
        const shown = await page.getAttribute(`.rb-value[data-column="${column}"]`, 'data-value');
        assert.equal(Number(shown), row[column], `${column} at ${time} s`);
      }
      assert.match(await page.textContent('.rb-value[data-column="total"]'), /^\d\.\d{3}\u202fJ$/);
    }
    for (const [tab, column] of [['alpha', 'alpha'], ['solver', 'newton'], ['contact', 'contacts']]) { // prettier-ignore
      await page.click(`[data-tab="${tab}"]`);
      assert.equal(Number(await page.getAttribute('.rb-value', 'data-value')), nearest(rows, 2.999)[column]);
    }
    await page.click('[data-tab="momentum"]');
    assert.equal(Number(await page.getAttribute('.rb-value[data-column="py"]', 'data-value')), nearest(rows, 2.999).py);
    await page.click('.rb-plot-extras >> text=log');
  });
});

test('puts two and three runs beside each other, by time', async () => {
  const tables = samples.runs.map(({ folder }) => table(readFileSync(join(folder, 'stats.csv'), 'utf8')));
  for (const [server, first] of [[servers.two, 1], [servers.three, 0]]) // prettier-ignore
    await onPage(server, async (page) => {
      const time = 2.21;
      await page.evaluate((t) => window.Rubato.current.seek(t), time);
      for (const [i, { name }] of samples.runs.entries()) {
        if (i < first) continue;
        const total = nearest(tables[i], time).total;
        assert.equal(Number(await page.getAttribute(`.rb-value[data-run="${name}"][data-column="total"]`, 'data-value')), total);
        assert.equal(Number(await page.getAttribute(`.rb-energy[data-run="${name}"]`, 'data-value')), total);
        const percent = Number((await page.textContent(`.rb-kept[data-run="${name}"]`)).replace(/[^\d.]/g, ''));
        assert.ok(Math.abs(percent - (100 * total) / tables[i][0].total) < 0.06);
      }
      for (const layout of ['split', 'overlaid', 'side-by-side']) {
        await page.evaluate((name) => window.Rubato.current.set({ layout: name }), layout);
        await page.waitForTimeout(60);
      }
      await page.selectOption('.rb-plot-extras select', 'Kinetic energy');
      assert.equal(Number(await page.getAttribute('.rb-value[data-run="a-search"]', 'data-value')), nearest(tables[2], time).kinetic);
      await page.click('.rb-run >> nth=0');
      assert.equal(await page.getAttribute('.rb-run >> nth=0', 'aria-pressed'), 'false');
    });
});

test('fits a phone and a very large screen without scrolling sideways', async () => {
  for (const viewport of [{ width: 360, height: 640 }, { width: 640, height: 360 }, { width: 1024, height: 768 }, { width: 3840, height: 2160 }]) // prettier-ignore
    await onPage(
      servers.three,
      async (page) => {
        const [across, down, stage] = await page.evaluate(() => [
          document.documentElement.scrollWidth - innerWidth,
          document.documentElement.scrollHeight - innerHeight,
          document.querySelector('.rb-stage').clientHeight,
        ]);
        assert.ok(across <= 0 && down <= 0, `${viewport.width}: ${across} pixels too wide, ${down} too high`);
        assert.ok(stage >= 100, `${viewport.width}x${viewport.height}: the picture is ${stage} pixels high`);
        await page.evaluate(() => window.Rubato.current.set({ dark: true }));
      },
      { viewport },
    );
});

test('follows the colours of the system', async () => {
  await onPage(servers.one, async (page) => assert.equal(await page.getAttribute('.rubato', 'data-theme'), 'dark'), { colorScheme: 'dark' });
});
