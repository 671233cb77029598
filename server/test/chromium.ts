/** A real browser for the pages. Every page that it opens is watched: it may speak to its own server and to nobody else. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const findChromium = (): string | undefined => places.find((place) => existsSync(place));

const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type WatchedBrowser = {
  open(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
};

/** What goes wrong in a page (an error, a refused script, a request to another host) fails the test at `close`. */
export async function launchChromium(program: string): Promise<WatchedBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: program, args: quietly });
  const problems: string[] = [];
  return {
    async open(options = {}) {
      const context = await browser.newContext({ viewport: phone, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      page.on('pageerror', (error) => problems.push(`error in the page: ${error.message}`));
      page.on('console', (message) => {
        // What a test breaks on purpose is no mistake of the page.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
          problems.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol !== 'data:' && hostname !== '127.0.0.1') problems.push(`a request to ${hostname}`);
      });
      return page;
    },
    async close() {
      await browser.close();
      assert.deepEqual(problems, []);
    },
  };
}

export const phone = { width: 360, height: 740 };
export const desk = { width: 1200, height: 860 };

/** WCAG 2.2 AA as far as a machine can tell, and the rest of what axe knows. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  assert.deepEqual(found, [], what);
}

/** No sideways scrolling, however long the words of a language are (WCAG 1.4.10). */
export async function assertFits(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.equal(overflow, 0, `${what} is ${String(overflow)} px too wide`);
}
