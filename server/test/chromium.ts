/** A real browser for the pages. Every page that it opens is watched: it may speak to its own server and to nobody else. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { addMs } from '../src/lib/clock.ts';
import { sampleOf } from './depth.ts';

/** The browser without its windows: it shows the same pages for less than half of the processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell';
const places = [headlessShell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const findChromium = (): string | undefined => places.find((place) => existsSync(place));
export const hasHeadlessShell = (): boolean => findChromium() === headlessShell;

/** For whatever it is asked: a page that says what is waited for says it in moments, unless the machine is very busy. */
const patienceMs = 300_000;

const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The account is at the second one: browsers make no passkeys for an IP address. */
const ownHosts = new Set(['127.0.0.1', 'localhost']);

export type WatchedBrowser = {
  open(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
};

/** One of each size of texts for all stories that share a process, with which it ends: to start it takes as long as a story. */
const running = new Map<number, Promise<Browser>>();

/** What goes wrong in a page (an error, a refused script, a request to another host) fails the test at `close`. */
export async function openChromium(
  program: string,
  /** What the reader has set in the browser; `rem` and the widths at which a layout changes follow it. */
  { textPx = 16 }: { readonly textPx?: number } = {},
): Promise<WatchedBrowser> {
  const launch = (): Promise<Browser> =>
    chromium.launch({
      executablePath: program,
      args: [...quietly, `--blink-settings=defaultFontSize=${textPx}`],
      timeout: patienceMs,
    });
  const launched = running.get(textPx) ?? launch();
  running.set(textPx, launched);
  const browser = await launched;
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  return {
    async open(options = {}) {
      const context = await browser.newContext({ viewport: phone, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(patienceMs);
      page.on('pageerror', (error) => problems.push(`error in the page: ${error.message}`));
      page.on('console', (message) => {
        // What a test breaks on purpose is no mistake of the page.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
          problems.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol !== 'data:' && !ownHosts.has(hostname)) problems.push(`a request to ${hostname}`);
      });
      return page;
    },
    async close() {
      for (const context of contexts) await context.close();
      assert.deepEqual(problems, []);
    },
  };
}

export const phone = { width: 360, height: 740 };
export const tablet = { width: 768, height: 1024 };
export const desk = { width: 1200, height: 860 };

/** What WCAG 2.2 AA asks for too, and what axe leaves out unless it is told. */
const furtherRules = [
  'target-size',
  'label-content-name-mismatch',
  'css-orientation-lock',
  'focus-order-semantics',
  'p-as-heading',
  'td-has-header',
];

const axeOptions = {
  resultTypes: ['violations', 'incomplete'],
  rules: Object.fromEntries(furtherRules.map((id) => [id, { enabled: true }])),
};
/**
 * What is in a frame is a page of its own, and looked at as one. A tab that has to be scrolled to cannot be measured where it
 * is: the others, which look the same, are.
 */
const runAxe = (part: string): string =>
  `axe.run({ include: ['${part}'], exclude: ['iframe'] }, ${JSON.stringify(axeOptions)}).then(({ violations, incomplete }) => [
    ...violations,
    ...incomplete.map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ target }) => id !== 'color-contrast' || !document.querySelector(target[0])?.closest('.tabs')) })),
  ].filter(({ nodes }) => nodes.length > 0)
  .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;

/**
 * WCAG 2.2 AA as far as a machine can tell, and the rest of what axe knows. What axe is not sure about fails as well:
 * colours on a picture, for instance. Run in the page itself, which takes a sixth of the time of axe's own driver.
 */
export async function assertAccessible(page: Page, what: string, part = 'html'): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  assert.deepEqual(await page.evaluate(runAxe(part)), [], what);
}

/** Everything that somebody could unfold, but for menus that lie over the page. */
export const openDrawers = (page: Page): Promise<unknown> =>
  page.evaluate(
    'for (const each of document.querySelectorAll("details:not(.lang, .own, .accounts)")) each.open = true',
  );

/** Waits until nothing moves any more but what goes on for long: a clock's mark, the line of a countdown. */
export const stillness = (page: Page): Promise<unknown> =>
  page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime < 5_000)
    .map(({ finished }) => finished)).then(() => true)`);

/**
 * With all drawers open: accessible, and not wider than the screen. In both colour schemes, without a reload; in a sample
 * dark on a phone and light at a desk.
 */
export async function assertUsable(page: Page, what: string): Promise<void> {
  await stillness(page);
  await openDrawers(page);
  await assertFits(page, what);
  const isNarrow = (page.viewportSize()?.width ?? desk.width) < desk.width;
  const schemes = sampleOf(['light', 'dark'] as const, (scheme) => (scheme === 'dark') === isNarrow);
  for (const colorScheme of schemes) {
    // Without motion: halfway from one colour to another nothing can be measured.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await assertAccessible(page, `${what}, ${colorScheme}`);
  }
}

/**
 * No sideways scrolling, however long the words of a language are (WCAG 1.4.10). A list could be scrolled by itself, but
 * nobody looks for a column that is out of sight.
 */
export async function assertFits(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const widest = await page.evaluate<string[]>(`(() => {
    const room = document.documentElement.clientWidth;
    const isOver = (each) => { const box = each.getBoundingClientRect(); return box.right > room + 0.5 || box.left < -0.5; };
    return [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() && isOver(each))
      .map((each) => each.tagName + ' ' + each.className + ' ' + each.textContent.trim().slice(0, 40));
  })()`);
  assert.equal(overflow, 0, `${what} is ${String(overflow)} px too wide: ${widest.join('; ')}`);
  const hidden = await page.evaluate<string[]>(`[...document.querySelectorAll('.scroll:has(> .list)')]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.ariaLabel + ': ' + each.scrollWidth + ' of ' + each.clientWidth)`);
  assert.deepEqual(hidden, [], `${what}: lists have columns out of sight`);
  const tabs = await page.evaluate<string[]>(`(() => {
    const isIn = (here, all) => here.left >= all.left - 1 && here.right <= all.right + 1;
    const isGood = (each) => {
      const here = each.querySelector('[aria-current]');
      return each.clientHeight < 60 && (!here || isIn(here.getBoundingClientRect(), each.getBoundingClientRect()));
    };
    return [...document.querySelectorAll('.tabs')].filter((each) => each.checkVisibility() && !isGood(each)).map((each) => each.innerText);
  })()`);
  assert.deepEqual(tabs, [], `${what}: tabs are one line, with the page that one is on in view`);
}

/** Every word is on the screen, whole: none is hidden behind an edge or cut by what it stands in (WCAG 1.4.4). */
export async function assertNothingIsCut(page: Page, what: string): Promise<void> {
  const cut = await page.evaluate<string[]>(`(() => {
    const room = document.documentElement.clientWidth;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut = [];
    while (texts.nextNode()) {
      const { data, parentElement: around } = texts.currentNode;
      if (!data.trim() || !around.checkVisibility() || around.closest('.unseen, noscript, svg, #order-code')) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const box = range.getBoundingClientRect();
      const clips = [];
      for (let each = around; each !== document.body; each = each.parentElement)
        if (getComputedStyle(each).overflowX === 'hidden') clips.push(each.getBoundingClientRect());
      const isIn = ({ left, right }) => box.left >= left - 1 && box.right <= right + 1;
      const isShort = getComputedStyle(around).webkitLineClamp !== 'none' && around.scrollHeight > around.clientHeight + 8;
      if (isShort || ![{ left: 0, right: room }, ...clips].every(isIn)) cut.push(data.trim().slice(0, 40));
    }
    return cut;
  })()`);
  assert.deepEqual(cut, [], `${what} cuts words`);
}

/** Nothing to read or to press lies below or above a code, and nothing to press below another button. */
export async function assertCodesAreClear(page: Page, what: string): Promise<void> {
  const covered = await page.evaluate<string[]>(`(() => {
    const boxOf = (each) => each.getBoundingClientRect();
    const isSeen = (each) => each.checkVisibility() && !each.closest('.unseen, dialog');
    const seen = [...document.querySelectorAll('#sheet :is(p, h2, dt, dd, .amount, .btn, .seg, summary)')].filter(isSeen);
    const codes = [...document.querySelectorAll('#pay .qr')].filter(isSeen);
    if (codes.length !== 1) return [codes.length + ' codes'];
    const [code] = codes.map(boxOf);
    return seen.filter((each) => {
      const box = boxOf(each);
      return box.left < code.right - 1 && box.right > code.left + 1 && box.top < code.bottom - 1 && box.bottom > code.top + 1;
    }).map((each) => each.textContent.trim());
  })()`);
  assert.deepEqual(covered, [], `${what}: the code lies over this`);
}

/** No word is broken in the middle; addresses, hashes and codes may be. */
export async function assertWordsAreWhole(page: Page, what: string): Promise<void> {
  const broken = await page.evaluate<string[]>(`(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.parentElement.closest('.mono, .unseen, noscript, svg')) continue;
      for (const { 0: word, index } of text.data.matchAll(/[^\\s\u00a0-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    return broken;
  })()`);
  assert.deepEqual(broken, [], `${what} breaks words`);
}

/** From now on the page's time only moves when it is told to, however slow the machine is. */
export async function holdClock({ clock }: Page, now: Date): Promise<void> {
  await clock.install({ time: now });
  await clock.pauseAt(addMs(now, 1_000));
}
