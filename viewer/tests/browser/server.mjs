// Serves the built viewer and run folders, with Range requests, the way `rubato view` does; and takes pictures.
import { createServer } from 'node:http';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.csv': 'text/csv', '.json': 'application/json' };

/** `runs`: [{name, folder, scene?, live?}]; `render`: order of pictures or null. */
export async function serve(dist, runs, render = null) {
  const pictures = [];
  let finish;
  const done = new Promise((resolve) => (finish = resolve));
  const files = { '/': join(dist, 'index.html'), '/viewer.js': join(dist, 'viewer.js') };
  runs.forEach(({ folder }, i) => {
    files[`/runs/${i}/frames.rbt`] = join(folder, 'frames.rbt');
    files[`/runs/${i}/stats.csv`] = join(folder, 'stats.csv');
  });
  const listing = {
    version: 1,
    runs: runs.map(({ name, scene = 'bouncing-ball', live = false }, i) => ({ name, scene, frames: `/runs/${i}/frames.rbt`, stats: `/runs/${i}/stats.csv`, live })),
    render,
  }; // prettier-ignore

  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    if (request.method === 'POST') {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        response.writeHead(204).end();
        const body = Buffer.concat(parts);
        if (path === '/render/done') finish({ pictures, error: null });
        else if (path === '/render/error') finish({ pictures, error: body.toString() });
        else pictures[Number(path.split('/').pop())] = body;
      });
      return;
    }
    if (path === '/runs.json') {
      response.writeHead(200, { 'Content-Type': kinds['.json'] }).end(JSON.stringify(listing));
      return;
    }
    const file = files[path];
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(file);
    const type = kinds[extname(file)] ?? 'application/octet-stream';
    const range = /^bytes=(\d+)-(\d+)?$/.exec(request.headers.range ?? '');
    if (!range) {
      response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file));
      return;
    }
    const from = Number(range[1]);
    const to = Math.min(size - 1, range[2] === undefined ? size - 1 : Number(range[2]));
    if (from >= size) {
      response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
      return;
    }
    response.writeHead(206, { 'Content-Type': type, 'Content-Length': to - from + 1, 'Content-Range': `bytes ${from}-${to}/${size}` });
    createReadStream(file, { start: from, end: to }).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, done, pictures, close: () => server.close() };
}
