/** Every state of the payment page in a real browser, from the previews that merchants see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sampleStates } from '../src/payment-page/sample-checkouts.ts';
import { isPageLanguage, languageCodes, pageLanguages, sayIn } from '../src/web/texts/page-texts.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import {
  assertAccessible,
  assertCodesAreClear,
  assertFits,
  assertNothingIsCut,
  assertUsable,
  assertWordsAreWhole,
  desk,
  findChromium,
  holdClock,
  openChromium,
  openDrawers,
  phone,
  stillness,
} from './chromium.ts';
import { deepTest, sampleOf } from './depth.ts';

browserStories('the payment page in every state', {}, tellStories);

function tellStories(stage: BrowserStage): void {
  const preview = (page: Page, state: string, language = 'en') =>
    page.goto(`${stage.origin}/${language}/checkout/preview/${state}`);

  for (const [screen, viewport] of [phone, desk].entries()) {
    test(`everybody can use it, in every state, light and dark, ${viewport.width} pixels wide`, async () => {
      const page = await stage.browser.open({ viewport });
      for (const state of sampleOf(sampleStates, (_, at) => at % 6 === 3 * screen)) {
        await preview(page, state);
        await assertUsable(page, `${state}, ${viewport.width}`);
        assert.equal(await page.locator('#order-code').isVisible(), true, `${state} has an order code`);
      }
      await page.context().close();
    });
  }

  deepTest('after all movements everybody can use it as well', async () => {
    const page = await stage.browser.open({ reducedMotion: 'no-preference' });
    const moved = ['created', 'pending', 'partial', 'processing', 'completed', 'overpaid', 'expired'];
    for (const [scheme, colorScheme] of (['light', 'dark'] as const).entries())
      for (const state of sampleOf(moved, (_, at) => at % 4 === 2 * scheme)) {
        await page.emulateMedia({ colorScheme });
        await preview(page, state);
        await stillness(page);
        await assertAccessible(page, `${state}, ${colorScheme}, with motion`);
      }
    await preview(page, 'completed');
    assert.equal(await page.evaluate('document.getAnimations().length > 0'), true, 'something has moved');
    await page.context().close();
  });

  deepTest('the menu of languages is whole, in sight and readable, to the right and to the left', async () => {
    const page = await stage.browser.open({ reducedMotion: 'reduce' });
    const menus = [
      ['created', 'en'],
      ['pending', 'ar'],
      ['completed', 'de'],
    ] as const;
    for (const viewport of [phone, desk, { width: 320, height: 568 }]) {
      await page.setViewportSize(viewport);
      for (const [state, language] of sampleOf(menus, (_, at) => at === 1)) {
        await preview(page, state, language);
        await page.locator('.lang summary').click();
        const links = page.locator('.lang a');
        assert.equal(await links.count(), Object.keys(pageLanguages).length);
        assert.equal(await page.locator('.lang [aria-current]').innerText(), pageLanguages[language].languageName);
        for (const link of await links.all()) {
          const box = await link.boundingBox();
          const isIn =
            box && box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height;
          assert.ok(isIn, `${await link.innerText()}, ${viewport.width}: ${JSON.stringify(box)}`);
        }
        // Axe sees what lies behind the menu as if it shone through: it is put away.
        await page.evaluate(`for (const each of document.querySelectorAll('.due, #sheet, #order, #foot'))
          each.style.visibility = 'hidden'`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await assertAccessible(
            page,
            `the menu of ${state} in ${language}, ${viewport.width}, ${colorScheme}`,
            '.lang',
          );
        }
      }
    }
    await page.context().close();
  });

  deepTest('whatever has the focus has a ring around it', async () => {
    const page = await stage.browser.open();
    const ringed = new Set<string>();
    for (const state of ['created', 'memo', 'overpaid', 'completed']) {
      await preview(page, state);
      await openDrawers(page);
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        const { name, ring } = await page.evaluate<{ name: string; ring: number }>(`(() => {
          const focused = document.activeElement;
          const rings = [focused, ...['label', '.coin-row'].map((each) => focused.closest(each))]
            .filter(Boolean).map((each) => getComputedStyle(each))
            .map(({ outlineStyle, outlineWidth }) => outlineStyle === 'none' ? 0 : parseFloat(outlineWidth));
          return { name: focused.tagName + ' ' + (focused.type ?? ''), ring: Math.max(...rings) };
        })()`);
        if (name.startsWith('BODY')) break;
        assert.ok(ring >= 2, `${name} in ${state}: ${ring}`);
        ringed.add(name.trim());
      }
    }
    for (const each of ['A', 'BUTTON button', 'SUMMARY', 'INPUT radio', 'INPUT checkbox'])
      assert.ok(ringed.has(each), `${each} was reached: ${[...ringed].join(', ')}`);
    await page.context().close();
  });

  test('it fits and speaks in every language on the smallest phone, also with the texts enlarged', async () => {
    const page = await stage.browser.open({ viewport: { width: 320, height: 568 } });
    // German has the longest words.
    for (const language of sampleOf(Object.keys(pageLanguages), (each) => each === 'de')) {
      assert.ok(isPageLanguage(language));
      for (const state of sampleOf(sampleStates, (_, at) => at % 3 === 1)) {
        await preview(page, state, language);
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        await openDrawers(page);
        await assertFits(page, `${state} in ${language}`);
        await assertWordsAreWhole(page, `${state} in ${language}`);
      }
      await preview(page, 'underpaid', language);
      const button = page.getByRole('link', { name: pageLanguages[language].openWallet });
      assert.equal(await button.isVisible(), true, language);
      await page.evaluate('document.documentElement.style.fontSize = "150%"');
      await assertFits(page, `underpaid in ${language}, enlarged`);
    }
    await preview(page, 'pending', 'de');
    assert.match(await page.locator('h1').innerText(), /25,50\s€/);
    assert.match(await page.locator('#order').innerText(), /2\s×\s9,00/);
    await page.context().close();
  });

  deepTest('on a phone what belongs together stands together, in every language', async () => {
    const page = await stage.browser.open();
    // Names beside their values, links in one piece, lines that begin at one edge.
    const measures: Readonly<Record<string, string>> = {
      completed: `[...document.querySelectorAll('.slip .kv > div')].map((row) =>
        [row.textContent, row.querySelector('dd').getBoundingClientRect().top - row.querySelector('dt').getBoundingClientRect().top < 4])`,
      pending: `[...document.querySelectorAll('#links a')].map((link) =>
        [link.textContent, link.getBoundingClientRect().height < 2 * parseFloat(getComputedStyle(link).fontSize)])`,
      created: `[...document.querySelectorAll('#foot > *')].map((part, at, all) => {
        const [first, box] = [all[0], part].map((each) => each.getBoundingClientRect());
        const isBelow = box.top >= first.bottom;
        const isFirstOfLine = isBelow && !all.slice(0, at).some((each) => each.getBoundingClientRect().bottom > box.top);
        return [part.textContent, !isFirstOfLine || Math.min(Math.abs(box.left - first.left), Math.abs(box.right - first.right)) < 1];
      })`,
    };
    for (const language of languageCodes)
      for (const [state, measure] of Object.entries(measures)) {
        await preview(page, state, language);
        const found = await page.evaluate<[string, boolean][]>(measure);
        assert.ok(found.length > 0, `${state} in ${language} has none`);
        for (const [words, isGood] of found) assert.ok(isGood, `${state} in ${language}: ${words.trim()}`);
      }
    await page.context().close();
  });

  deepTest('with texts twice as large nothing is cut, covered or out of reach on a phone', async () => {
    const browser = await openChromium(findChromium() ?? '', { textPx: 32 });
    const page = await browser.open({ viewport: phone, reducedMotion: 'reduce' });
    for (const language of sampleOf(Object.keys(pageLanguages), (each) => each === 'de' || each === 'ar')) {
      for (const state of sampleOf(sampleStates, (_, at) => at % 3 === 0)) {
        const what = `${state} in ${language}, twice as large`;
        await preview(page, state, language);
        await openDrawers(page);
        await assertFits(page, what);
        await assertNothingIsCut(page, what);
        if (await page.locator('#pay .qr').first().isVisible()) await assertCodesAreClear(page, what);
        const docks = await page.evaluate(`[...document.querySelectorAll('.dock')]
          .map((each) => getComputedStyle(each).position)`);
        assert.deepEqual(new Set(docks as string[]).has('sticky'), false, `${what}: no button lies over the page`);
      }
    }
    await browser.close();
  });

  test('code and copy buttons are in sight at once on a phone 320 pixels wide', async () => {
    const page = await stage.browser.open({ viewport: { width: 320, height: 640 } });
    for (const state of ['pending', 'memo']) {
      await preview(page, state);
      // The second notice is there in previews only.
      const notice = await page.locator('.top-notes p').nth(1).boundingBox();
      const copies = await page.locator('.copies:visible').boundingBox();
      assert.ok(notice && copies);
      const end = copies.y + copies.height - notice.height;
      assert.ok(end <= 640, `${state}: they end at ${end}`);
    }
    await page.context().close();
  });

  /** With the sandbox's notice on top, and without the one that only previews have. */
  const previewAsPaid = async (page: Page, state: string, language = 'en') => {
    await preview(page, state, language);
    await page.evaluate('document.querySelector(".top-notes p:nth-child(2)").remove()');
  };

  deepTest(
    'on a phone the warning, the code, copy buttons and wallet are in sight at once, also of a rest',
    async () => {
      const page = await stage.browser.open();
      // The link with a memo is signed, and the invoice has hints: no real codes are denser.
      for (const language of ['en', 'de', 'ar', 'fr', 'tr'] as const)
        for (const state of ['pending', 'memo', 'partial', 'underpaid', 'replaced?way=2']) {
          await previewAsPaid(page, state, language);
          const { warned, code, pixels, ends } = await page.evaluate<{
            warned: number;
            code: number;
            pixels: number;
            ends: number[];
          }>(`(() => {
          const seen = (what) => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility());
          const [warning, code] = ['#pay .only', '#pay .qr svg'].map((each) => seen(each)[0]);
          const box = code.getBoundingClientRect();
          return {
            warned: warning.getBoundingClientRect().bottom,
            code: box.top,
            pixels: box.width / code.viewBox.baseVal.width,
            ends: seen('#pay .qr, #pay .copies .btn, #pay .dock .btn').map((each) => each.getBoundingClientRect().bottom),
          };
        })()`);
          const what = `${state} in ${language}`;
          if (state === 'partial' || state === 'underpaid') {
            const safe = await page.locator('#state').getByText(sayIn(language)('partSafe')).boundingBox();
            assert.ok(safe && safe.y + safe.height < code, `${what}: that it is safe is above the code`);
          }
          assert.ok(warned < code, `${what}: the warning ends at ${warned}, the code begins at ${code}`);
          assert.ok(pixels >= 3, `${what}: ${pixels} px per module`);
          assert.ok(ends.length > 3, `${what}: ${ends.length} of them`);
          assert.ok(Math.max(...ends) <= phone.height, `${what}: they end at ${ends.join(', ')}`);
        }
      await page.context().close();
    },
  );

  deepTest('what became of a transaction and the head of the page are one line each, in every language', async () => {
    const page = await stage.browser.open();
    for (const language of languageCodes) {
      await previewAsPaid(page, 'replaced', language);
      const say = sayIn(language);
      const titles = [say('transactionReplaced'), say('transactionDropped'), say('transactionLost')];
      const [lines, before, after] = await page.evaluate<[number[], number, number]>(`(() => {
        const title = document.querySelector('#lost b');
        const lines = ${JSON.stringify(titles)}.map((text) => {
          title.textContent = text;
          const range = document.createRange();
          range.selectNodeContents(title);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
        const height = () => document.querySelector('#head').getBoundingClientRect().height;
        const before = height();
        document.querySelector('#order-code .mono').textContent = '2026/Filiale-Altona/0000010045';
        return [lines, before, height()];
      })()`);
      assert.deepEqual(lines, [1, 1, 1], language);
      assert.ok(before < 100, `${language}: the head is ${before} px high`);
      assert.equal(after, before, `${language}, with a long number`);
    }
    await page.context().close();
  });

  deepTest('wherever a phone is scrolled, the docked button covers neither the code nor a copy button', async () => {
    const page = await stage.browser.open();
    let docks = 0;
    for (const viewport of [phone, { width: 320, height: 568 }]) {
      await page.setViewportSize(viewport);
      for (const state of sampleStates) {
        await previewAsPaid(page, state);
        if ((await page.locator('#pay .dock').count()) === 0) continue;
        docks += 1;
        const covered = await page.evaluate<string[]>(`(() => {
          const covered = [];
          for (let top = 0; top < document.body.scrollHeight; top += 40) {
            scrollTo(0, top);
            const dock = document.querySelector('#pay .dock').getBoundingClientRect();
            for (const each of document.querySelectorAll('#pay .qr, #pay .copies .btn')) {
              const box = each.getBoundingClientRect();
              if (each.checkVisibility() && box.bottom > dock.top && box.top < dock.bottom)
                covered.push(top + ': ' + each.className + ' ' + each.textContent.trim());
            }
          }
          return covered;
        })()`);
        assert.deepEqual(covered, [], `${state}, ${viewport.width}`);
      }
    }
    assert.ok(docks >= 10, `${docks} docks`);
    await page.context().close();
  });

  test('each value is copied as it is typed into a wallet, and a screen reader hears of it', async () => {
    const page = await stage.browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await preview(page, 'memo');
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    const expected = {
      Memo: ['sample123456', 'Memo copied'],
      Address: ['GSAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLES', 'Address copied'],
      Amount: ['102.0408164', 'Amount copied'],
      'Long address': [`MSAMPLES${'AMPLES'.repeat(10)}A`, 'Copied: Long address'],
    } as const;
    for (const [name, [value, said]] of Object.entries(expected)) {
      await page.getByRole('button', { name: `Copy: ${name}`, exact: true }).click();
      await page.locator('#announce', { hasText: said }).waitFor({ state: 'attached' });
      assert.equal(await clipboard(), value);
    }
    await page.getByRole('button', { name: 'Copy: Link' }).click();
    await page.locator('#announce', { hasText: 'Payment link copied' }).waitFor({ state: 'attached' });
    assert.equal(await clipboard(), await page.locator('#open-wallet').getAttribute('href'));
    await page.context().close();
  });

  test('address with memo, or one address that holds it: either the one way or the other', async () => {
    const page = await stage.browser.open();
    await preview(page, 'memo');
    const terms = await page.locator('#pay dt:visible').allInnerTexts();
    assert.deepEqual(terms, [
      'Way 1: address and memo',
      'With this memo',
      'To this address',
      'Way 2: one long address that contains the memo',
    ]);
    await page.locator('#pay .warning').getByText('Do not leave out the memo').waitFor();
    assert.match(await page.locator('#pay dd .mono:visible').last().innerText(), /^MSAM\s?PLES/);
    await page.context().close();
  });

  deepTest('it is written from right to left where the language is, but for addresses', async () => {
    const page = await stage.browser.open();
    const leftOf = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN;
    for (const viewport of [phone, desk]) {
      await page.setViewportSize(viewport);
      for (const state of ['created', 'memo', 'processing', 'underpaid']) {
        await preview(page, state, 'ar');
        assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
        await assertFits(page, `${state}, ${viewport.width}`);
        if (state === 'memo') {
          const groups = page.locator('#pay .groups').first().locator('span');
          const lefts = await Promise.all([0, 1].map(async (at) => (await groups.nth(at).boundingBox())?.x ?? 0));
          assert.ok((lefts[0] ?? 0) < (lefts[1] ?? 0), 'an address begins on the left');
        }
        if (state === 'created') assert.ok((await leftOf('.coin-row img')) > (await leftOf('.coin-row b')));
        assert.ok((await leftOf('#order th')) > (await leftOf('#order td')), 'prices are on the other side');
      }
    }
    await page.context().close();
  });

  test('a keyboard is enough: the other code, the drawers and the buttons can be reached and used', async () => {
    const page = await stage.browser.open();
    await preview(page, 'pending');
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
    const reached: string[] = [];
    for (let presses = 0; presses < 28; presses += 1) {
      await page.keyboard.press('Tab');
      const name = await focused();
      reached.push(name);
      if (name === 'by-1') {
        await page.keyboard.press('ArrowRight');
        assert.equal(await page.getByRole('img', { name: 'QR code of the address only' }).isVisible(), true);
        assert.equal(await page.getByRole('img', { name: /^QR code to pay/ }).isVisible(), false);
        // The other code has taken the place of the first, above.
        for (let back = 0; back < 6 && (await focused()) !== 'zoom-0'; back += 1)
          await page.keyboard.press('Shift+Tab');
        reached.push(await focused());
      }
      if (name === 'Rate and fees') {
        await page.keyboard.press('Enter');
        assert.equal(await page.getByText('1 BTC = €50,000.00').isVisible(), true);
      }
    }
    for (const each of [
      'zoom-1',
      'by-1',
      'zoom-0',
      'Copy Address',
      'Copy Amount',
      'Copy Link',
      'open-wallet',
      'Rate and fees',
    ])
      assert.ok(reached.includes(each), `${each} is reached by the keyboard: ${reached.join(', ')}`);
    await page.context().close();
  });

  test('the clock is the server’s, and is said aloud at ten, five and one minutes only', async () => {
    const page = await stage.browser.open();
    // The device believes in another year.
    await holdClock(page, new Date('2031-01-01T00:00:00Z'));
    await preview(page, 'pending');
    assert.equal(await page.locator('.clock').innerText(), '59:00');
    await page.evaluate(`
      window.said = [];
      new MutationObserver(() => {
        const text = document.querySelector('#announce').textContent;
        if (text) window.said.push(text);
      }).observe(document.querySelector('#announce'), { childList: true });`);
    await page.clock.runFor('58:55');
    assert.equal(await page.locator('.clock').innerText(), '0:05');
    assert.deepEqual(await page.evaluate('window.said'), ['10 minutes left', '5 minutes left', '1 minute left']);
    await page.context().close();
  });

  test('after success the page goes back to the shop with a visible countdown, unless asked to stay', async () => {
    const page = await stage.browser.open();
    await holdClock(page, stage.gateway.clock.now());
    await preview(page, 'completed');
    assert.match(await page.locator('#going-back').innerText(), /in 15 seconds/);
    const line = await page.locator('#going-back').boundingBox();
    assert.ok(line && line.y + line.height <= phone.height, `it is read without scrolling: ${JSON.stringify(line)}`);
    await page.clock.runFor(3_000);
    assert.match(await page.locator('#going-back').innerText(), /in 12 seconds/);
    await page.getByRole('button', { name: 'Stay on this page' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#going-back').innerText(), 'You stay on this page.');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Back to the shop');
    await page.clock.runFor(30_000);
    assert.match(page.url(), /preview\/completed$/);

    const other = await stage.browser.open();
    await holdClock(other, stage.gateway.clock.now());
    await preview(other, 'completed');
    const left = other.waitForRequest(/return-from-hosted-checkout/);
    await other.clock.runFor(16_000);
    await left;
    await Promise.all([page.context().close(), other.context().close()]);
  });

  deepTest('nothing moves for those who asked for stillness, and paper shows the receipt alone', async () => {
    const page = await stage.browser.open({ reducedMotion: 'reduce' });
    for (const state of ['created', 'pending', 'processing', 'completed']) {
      await preview(page, state);
      assert.equal(await page.evaluate('document.getAnimations().length'), 0, state);
    }
    await preview(page, 'completed');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.lang').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Print this receipt' }).isVisible(), false);
    assert.equal(await page.getByText('Paid. Thank you!').isVisible(), true);
    for (const state of sampleStates) {
      await preview(page, state);
      assert.equal(
        await page.locator('.btn:visible, .clock:visible').count(),
        0,
        `${state}: nothing to press on paper`,
      );
      assert.equal(await page.locator('.order table:visible').count(), 1, `${state}: what it is about`);
      assert.ok(await page.getByText('Sandbox: this is a test.').isVisible(), `${state}: that it is a test`);
    }
    for (const state of ['completed', 'late', 'overpaid']) {
      await preview(page, state);
      assert.equal(await page.locator('.slip').isVisible(), true, `${state}: the receipt`);
      assert.equal(
        await page.locator('.steps:visible, .hash:visible, #sums:visible, #way-back:visible').count(),
        0,
        state,
      );
      assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.shade')).filter`), 'none', state);
      const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
      assert.equal(sheets?.length, 1, `${state}: one sheet of paper, and none that is empty`);
    }
    await preview(page, 'partial');
    const sheet = (await page.locator('#sheet').innerText()).replace(/\s+/g, ' ');
    assert.match(
      sheet,
      /^Part of your payment has arrived Received 0\.0002 BTC · €10\.00 Still missing 0\.00031 BTC · €15\.50 Price valid until \w+ \d+, \d{4} at \d\d:\d\d$/,
      'a part: what came, what is missing, until when, and nothing else',
    );
    await preview(page, 'overpaid');
    await page.emulateMedia({ media: 'screen' });
    assert.equal(
      await page.locator('.slip').isVisible(),
      false,
      'overpaid: on the screen there is something to do first',
    );
    await page.context().close();
  });
}
