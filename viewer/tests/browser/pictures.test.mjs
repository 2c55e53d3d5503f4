import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { dist, threeRuns } from './samples.mjs';
import { serve } from './server.mjs';

let browser, samples;
before(async () => {
  browser = await launch();
  samples = threeRuns();
});
after(async () => {
  await browser.close();
  samples.remove();
});

const order = {
  width: 480, height: 270, times: [0, 0.4, 0.5], colour: 'body', camera: 'three-quarter', samples: 4, background: 'light',
  superimpose: false, labels: true, plot: false, wireframe: false, layout: 'side-by-side', follow: false,
}; // prettier-ignore

async function pictures(runs, changes) {
  const server = await serve(dist, runs, { ...order, ...changes });
  const { complaints, close } = await openPage(browser, server.url);
  const result = await server.done;
  assert.deepEqual(complaints, []);
  await close();
  server.close();
  return result;
}

/** Width, height and whether there is an alpha channel, from the head of a PNG file. */
function pngHead(bytes) {
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), alpha: bytes[25] === 6 };
}

test('posts one PNG of the asked size for each time', async () => {
  const { pictures: made, error } = await pictures(samples.runs, {});
  assert.equal(error, null);
  assert.equal(made.length, 3);
  for (const png of made) assert.deepEqual({ ...pngHead(png), alpha: 0 }, { width: 480, height: 270, alpha: 0 });
  assert.notDeepEqual(made[0], made[1]);
});

test('draws every kind of picture', async () => {
  for (const changes of [
    { background: 'dark', colour: 'stress', plot: true },
    { background: 'transparent', labels: false, samples: 1, camera: 'top', wireframe: true },
    { layout: 'split', follow: true, camera: 'side' },
    { layout: 'overlaid', colour: 'speed', width: 333, height: 777, camera: 'front' },
  ]) {
    const { pictures: made, error } = await pictures(samples.runs, { times: [0.45], ...changes });
    assert.equal(error, null);
    assert.equal(made.length, 1);
    assert.equal(pngHead(made[0]).width, changes.width ?? 480);
    assert.equal(pngHead(made[0]).height, changes.height ?? 270);
    if (changes.background === 'transparent') assert.ok(pngHead(made[0]).alpha);
  }
});

test('puts several moments into one picture', async () => {
  const { pictures: made, error } = await pictures([samples.runs[2]], { superimpose: true, times: [0, 0.2, 0.4, 0.6] });
  assert.equal(error, null);
  assert.equal(made.length, 1);
  assert.equal(pngHead(made[0]).width, 480);
});

test('tells why there is no picture', async () => {
  const { pictures: made, error } = await pictures([], {});
  assert.equal(made.length, 0);
  assert.match(error, /no run/);
  assert.match((await pictures(samples.runs, { camera: 'below' })).error, /camera.*below/);
});
