// The program and the viewer together: what `rubato` writes is what the pages show. RUBATO_PROGRAM names the program.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, openPage, ready } from './browser.mjs';
import { dist, nearest, table } from './samples.mjs';

const program = process.env.RUBATO_PROGRAM;
const skip = program === undefined ? 'RUBATO_PROGRAM is not set' : false;
const methods = ['implicit-euler', 'bdf2', 'a-search'];
const environment = { ...process.env, RUBATO_VIEWER: dist };

let browser, folder;

/** Runs the program to its end; returns what it said. */
function rubato(...words) {
  const done = spawnSync(program, words, { cwd: folder, env: environment, encoding: 'utf8' });
  assert.equal(done.status, 0, `rubato ${words.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

/** The program while it serves: the address of its page, and how to end it. */
async function viewing(...words) {
  const child = spawn(program, ['view', '--no-open', ...words], { cwd: folder, env: environment });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once('data', (bytes) => resolve(/http:\S+/.exec(String(bytes))[0]));
    child.on('exit', reject);
  });
  const end = () => new Promise((resolve) => { child.on('exit', resolve); child.kill('SIGINT'); }); // prettier-ignore
  return { address, end };
}

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'rubato-program-'));
  browser = await launch();
  rubato('compare', 'bouncing-ball', '--integrators', methods.join(','), '--duration', '0.9', '--same-step-only', '--out', 'compared');
});
after(async () => {
  if (skip) return;
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the report shows three balls and who keeps bouncing, and asks for nothing', { skip }, async () => {
  const { page, complaints, close } = await openPage(browser, String(pathToFileURL(join(folder, 'compared', 'report.html'))));
  await ready(page);
  assert.equal(await page.locator('.card').count(), 3);
  const kept = (await page.locator('.card .figure').allTextContents()).map(parseFloat);
  assert.ok(kept[2] > 95 && kept[0] < 50, `energy left: ${kept}`);
  assert.ok((await page.locator('figure.plot svg').count()) >= 3);
  assert.ok(await page.evaluate(() => document.querySelector('figure img').naturalWidth > 500));
  await page.evaluate(() => window.Rubato.current.pause());
  await page.evaluate(() => window.Rubato.current.seek(0.85));
  for (const name of methods) {
    const rows = table(readFileSync(join(folder, 'compared', name, 'stats.csv'), 'utf8'));
    assert.equal(Number(await page.getAttribute(`.rb-energy[data-run="${name}"]`, 'data-value')), nearest(rows, 0.85).total);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('view serves runs whose displayed energies are those of stats.csv', { skip }, async () => {
  const { address, end } = await viewing('compared/bdf2', 'compared/a-search');
  const { page, complaints, close } = await openPage(browser, address);
  await ready(page);
  for (const time of [0, 0.4321, 0.9]) {
    await page.evaluate((t) => window.Rubato.current.seek(t), time);
    for (const name of ['bdf2', 'a-search']) {
      const row = nearest(table(readFileSync(join(folder, 'compared', name, 'stats.csv'), 'utf8')), time);
      assert.equal(Number(await page.getAttribute(`.rb-value[data-run="${name}"][data-column="total"]`, 'data-value')), row.total);
    }
  }
  for (const colour of ['displacement', 'speed', 'stress', 'contact', 'body']) {
    await page.evaluate((name) => window.Rubato.current.set({ colour: name }), colour);
    await page.waitForTimeout(50);
  }
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.Rubato.current.time() < 0.8); // it loops
  assert.deepEqual(complaints, []);

  // Files of the runs, pieces of them, and nothing else.
  const frames = readFileSync(join(folder, 'compared', 'bdf2', 'frames.rbt'));
  const piece = await fetch(`${address}runs/0/frames.rbt`, { headers: { Range: 'bytes=16-79' } });
  assert.equal(piece.status, 206);
  assert.equal(piece.headers.get('content-range'), `bytes 16-79/${frames.length}`);
  assert.deepEqual(Buffer.from(await piece.arrayBuffer()), frames.subarray(16, 80));
  for (const wrong of ['runs/2/frames.rbt', 'runs/0/checkpoint.bin', 'runs/0/..%2fbdf2%2fstats.csv', 'etc/passwd'])
    assert.equal((await fetch(address + wrong)).status, 404, wrong);
  await close();
  assert.equal(await end(), 0);
});

test('view follows a run that goes on, and knows when it was killed', { skip }, async () => {
  const words = ['run', 'bouncing-ball', '--duration', '1000', '--out', 'going', '--threads', '1'];
  const run = spawn(program, words, { cwd: folder, env: environment, stdio: 'ignore' });
  const killed = new Promise((resolve) => run.on('exit', resolve));
  const grown = (bytes) => existsSync(join(folder, 'going', 'frames.rbt')) && statSync(join(folder, 'going', 'frames.rbt')).size > bytes;
  while (!grown(1e5)) await new Promise((resolve) => setTimeout(resolve, 20));
  const { address, end } = await viewing('going');
  const live = async () => (await (await fetch(`${address}runs.json`)).json()).runs[0].live;
  assert.equal(await live(), true);
  const { page, complaints, close } = await openPage(browser, address);
  await ready(page);
  const last = () => page.evaluate(() => Number(document.querySelector('.rb-frame').textContent.split(' of ')[1]));
  const first = await last();
  await page.waitForFunction((before) => Number(document.querySelector('.rb-frame').textContent.split(' of ')[1]) > before, first, { timeout: 20000 });
  run.kill('SIGKILL');
  await killed;
  assert.equal(await live(), false);
  let asked = 0;
  page.on('request', (request) => (asked += request.url().endsWith('frames.rbt') ? 1 : 0));
  await page.waitForRequest((request) => request.url().endsWith('runs.json'), { timeout: 20000 });
  await page.waitForTimeout(3000);
  asked = 0;
  await page.waitForTimeout(4000);
  assert.equal(asked, 0, 'it asks no more');
  assert.deepEqual(complaints, []);
  await close();
  await end();
});

test('view answers only requests that are addressed to this machine', { skip }, async () => {
  const { address, end } = await viewing('compared/bdf2');
  const { request } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    request(`${address}runs.json`, { headers: { Host: 'example.org' } }, (answer) => resolve(answer.statusCode)).on('error', reject).end();
  });
  assert.equal(status, 403);
  await end();
});

test('render draws a picture, a sequence and a movie', { skip }, async () => {
  const runs = ['compared/bdf2', 'compared/a-search'];
  const size = (name) => [16, 20].map((at) => readFileSync(join(folder, name)).readUInt32BE(at)); // of a PNG
  rubato('render', ...runs, '-o', 'still.png', '--size', '320x200', '--samples', '2', '--times', '0.8', '--plot');
  assert.deepEqual(size('still.png'), [320, 200]);
  rubato('render', runs[1], '-o', 'pictures/%04d.png', '--size', '160x120', '--samples', '1', '--rate', '10', '--from', '0.2', '--until', '0.5');
  for (const number of ['0000', '0003']) assert.deepEqual(size(`pictures/${number}.png`), [160, 120]);
  assert.ok(!existsSync(join(folder, 'pictures/0004.png')));
  if (spawnSync('ffprobe', ['-version']).status !== 0) return;
  rubato('render', runs[1], '-o', 'movie.mp4', '--size', '161x121', '--samples', '1', '--rate', '20', '--speed', '0.5', '--until', '0.25');
  const probe = spawnSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=width,height,nb_read_frames', '-of', 'csv=p=0', join(folder, 'movie.mp4')], { encoding: 'utf8' });
  assert.equal(probe.stdout.trim(), '162,122,11');
});

test('render says what is wrong before it draws', { skip }, async () => {
  for (const [words, expected] of [
    [['compared/bdf2', '-o', 'movie.gif'], '.mp4'],
    [['compared/bdf2', '-o', 'a.png', '--times', '0,1'], '%04d'],
    [['compared', '-o', 'a.png'], 'no run directory'],
    [['compared/bdf2', '-o', 'a.png', '--size', 'big'], 'WIDTHxHEIGHT'],
    [['compared/bdf2', '-o', 'x%q.png'], '%04d'],
  ]) {
    const done = spawnSync(program, ['render', ...words], { cwd: folder, env: environment, encoding: 'utf8' });
    assert.equal(done.status, 2, words.join(' '));
    assert.ok(done.stderr.includes(expected), done.stderr);
  }
  const done = spawnSync(program, ['render', 'compared/bdf2', '-o', 'a.png'], { cwd: folder, env: { ...environment, PATH: '/nowhere', CHROMIUM: '' }, encoding: 'utf8' });
  assert.equal(done.status, 2);
  assert.match(done.stderr, /Chromium, which is not installed/);
});
