// Looks at the built viewer with Chromium: `npm run build` first. Set CHROMIUM where it is not /usr/bin/chromium.
await import('./viewing.test.mjs');
await import('./files.test.mjs');
await import('./pictures.test.mjs');
await import('./program.test.mjs');
