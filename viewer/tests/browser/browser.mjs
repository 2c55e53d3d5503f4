import { chromium } from 'playwright-core';

/** Chromium without a screen and without a graphics card. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox', '--disable-gpu-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-precise-memory-info',
    ], // prettier-ignore
  });
}

/** A page that remembers what went wrong on it, and which requests left its origin. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const origin = url.startsWith('file:') ? url : new URL(url).origin; // a page from the disk may ask for itself alone
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) complaints.push(`request left the origin: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

export async function ready(page) {
  await page.waitForFunction(() => window.Rubato?.current);
  await page.evaluate(() => window.Rubato.current.ready);
}
