/** What somebody who pays like this for the first time must not stumble over, in a real browser. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { languageCodes } from '../src/web/texts/page-texts.ts';
import { atLeastOne } from './at-least-one.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertCodesAreClear, holdClock, phone } from './chromium.ts';
import { deepTest } from './depth.ts';

browserStories('the payment page for the first time', {}, tellStories);

function tellStories(stage: BrowserStage): void {
  const preview = (page: Page, state: string, language = 'en') =>
    page.goto(`${stage.origin}/${language}/checkout/preview/${state}`);

  test('a button that has copied says so on itself, keeps its size, and is as before after two seconds', async () => {
    const page = await stage.browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await holdClock(page, stage.gateway.clock.now());
    await preview(page, 'memo', 'de');
    const button = page.locator('#pay .copies .btn').first();
    const said = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('#pay .copies .btn'), '::after').content`);
    // Where it was laid out: a press makes it a little smaller for a moment.
    const box = () =>
      page.evaluate<number[]>(`(() => {
        const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = document.querySelector('#pay .copies .btn');
        return [offsetLeft, offsetTop, offsetWidth, offsetHeight];
      })()`);
    const before = await box();
    assert.equal(await button.locator('svg').isVisible(), true, 'four buttons have their icons too');
    assert.equal(await button.getByText('Kopieren').isVisible(), true, 'and say what they do');
    await button.click();
    await page.locator('#pay .btn.copied').waitFor();
    assert.equal(await said(), '"✓ Kopiert"');
    assert.deepEqual(await box(), before);
    await page.clock.runFor(2_100);
    assert.equal(await said(), 'none');
    await page.context().close();
  });

  deepTest('the words of four copy buttons side by side keep clear of their edges', async () => {
    const page = await stage.browser.open();
    for (const language of ['de', 'tr', 'es']) {
      await preview(page, 'memo', language);
      const rooms = await page.evaluate<
        [string, number][]
      >(`[...document.querySelectorAll('#pay .copies.four .btn')].map((button) => {
        const range = document.createRange();
        range.selectNodeContents(button);
        const edges = button.getBoundingClientRect();
        const words = [...range.getClientRects()].filter(({ height }) => height > 0 && height < 30);
        const parts = [button.querySelector('svg').getBoundingClientRect(), ...words.filter(({ width }) => width < edges.width - 4)];
        return [button.textContent, Math.min(...parts.flatMap(({ left, right }) => [left - edges.left, edges.right - right]))];
      })`);
      assert.equal(rooms.length, 4);
      for (const [words, room] of atLeastOne(rooms)) assert.ok(room >= 4, `${language}, ${words}: ${room} px`);
    }
    await page.context().close();
  });

  deepTest(
    'no code lies over what is to be read or pressed, however dense it is, and a plate has margins',
    async () => {
      const page = await stage.browser.open();
      for (const viewport of [{ width: 960, height: 700 }, { width: 1280, height: 800 }, phone]) {
        await page.setViewportSize(viewport);
        for (const state of ['pending', 'memo', 'underpaid']) {
          await preview(page, state);
          for (const way of await page.locator('#pay .seg label').all()) {
            await way.click();
            const what = `${state}, ${await way.innerText()}, ${viewport.width}`;
            await assertCodesAreClear(page, what);
            const [left, right, module] = await page.evaluate<[number, number, number]>(`(() => {
            const code = [...document.querySelectorAll('#pay .qr svg')].find((each) => each.checkVisibility());
            const [box, sheet] = [code, document.querySelector('#sheet')].map((each) => each.getBoundingClientRect());
            const { width } = code.viewBox.baseVal;
            return [box.left - sheet.left, sheet.right - box.right, box.width / width];
          })()`);
            assert.ok(left >= 0 && right >= 0, `${what}: ${left} and ${right} px beside the code`);
            assert.ok(module >= 3, `${what}: ${module} px per module`);
          }
        }
      }
      await page.context().close();
    },
  );

  test('who takes the address only copies the one that holds the memo, and is offered no memo beside it', async () => {
    const page = await stage.browser.open();
    await preview(page, 'memo');
    const copied = () =>
      page
        .locator('#pay .copies .btn:visible')
        .evaluateAll((all: { dataset: { copy: string } }[]) => all.map(({ dataset }) => dataset.copy.slice(0, 8)));
    assert.deepEqual(await copied(), ['sample12', 'GSAMPLES', '102.0408', 'web+stel']);
    assert.match(await page.locator('#pay p.by-1:visible').innerText(), /address, memo and amount/);
    await page.getByText('Address only', { exact: true }).click();
    assert.deepEqual(await copied(), ['MSAMPLES', '102.0408']);
    assert.deepEqual(await page.locator('#pay dt:visible').allInnerTexts(), ['To this address']);
    await page.locator('#new-here summary').click();
    await page.locator('#new-here').getByText('copy address, memo and amount').waitFor();
    await page.context().close();
  });

  deepTest('the chosen code stays after a reload, in another language, and when an address was saved', async () => {
    const page = await stage.browser.open();
    await preview(page, 'replaced');
    await page.getByText('Lightning', { exact: true }).click();
    const isStill = async (what: string) => assert.equal(await page.locator('#by-2').isChecked(), true, what);
    await page.reload();
    await isStill('after a reload');
    await page.getByText('Address only', { exact: true }).click();
    await page.getByText('Lightning', { exact: true }).click();
    await page.locator('.lang summary').click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('Nur Adresse').waitFor();
    await isStill('in German');
    assert.match((await page.locator('#contact form').getAttribute('action')) ?? '', /\/contact\?way=2$/);
    await page.context().close();
  });

  deepTest('what the script focuses to be read out has neither a ring nor round corners', async () => {
    const page = await stage.browser.open();
    for (const state of ['processing', 'completed']) {
      await preview(page, state);
      await page.keyboard.press('Tab');
      const look = await page.evaluate<string[]>(`(() => {
        const state = document.querySelector('#state');
        state.focus();
        const { outlineStyle, borderTopLeftRadius } = getComputedStyle(state);
        return [document.activeElement.id, outlineStyle, borderTopLeftRadius];
      })()`);
      assert.deepEqual(look, ['state', 'none', '0px'], state);
    }
    await page.context().close();
  });

  test('the networks of a coin that is opened low on the screen are above the button, which names the network', async () => {
    const page = await stage.browser.open({ viewport: { width: 360, height: 480 } });
    await preview(page, 'created');
    const words = page.locator('#choose .dock .btn');
    assert.equal((await words.innerText()).trim(), 'Pay with Bitcoin (Lightning)');
    await page.locator('.coin-row').nth(1).locator('label').first().click();
    assert.equal((await words.innerText()).trim(), 'Pay with Stellar Lumens');
    await page.evaluate('scrollTo(0, 0)');
    await page.locator('.coin-row b').first().click();
    const ends = await page.evaluate<number[]>(`['.coin-row .nets', '#choose .dock .btn'].map((each, at) => {
      const box = document.querySelector(each).getBoundingClientRect();
      return at === 0 ? box.bottom : box.top;
    })`);
    assert.ok((ends[0] ?? 0) <= (ends[1] ?? 0), `the networks end at ${ends[0]}, the button begins at ${ends[1]}`);
    // Whoever brings the last coin into sight without choosing it: by a key, by voice, by a search in the page.
    const last = await page.evaluate<number[]>(`(() => {
      scrollTo(0, 0);
      const coin = [...document.querySelectorAll('[name=coin]')].at(-1);
      coin.scrollIntoView({ block: 'nearest' });
      const button = document.querySelector('#choose .dock .btn');
      return [coin.closest('label').getBoundingClientRect().bottom, button.getBoundingClientRect().top];
    })()`);
    assert.ok((last[0] ?? 0) <= (last[1] ?? 0), `the last coin ends at ${last[0]}, the button begins at ${last[1]}`);
    await page.getByRole('radio', { name: /^Bitcoin network/ }).check();
    assert.equal((await words.innerText()).trim(), 'Pay with Bitcoin (Bitcoin network)');
    await page.context().close();
  });

  deepTest(
    'what happened to earlier transactions leaves codes and buttons on the screen, and opens on a tap',
    async () => {
      const page = await stage.browser.open();
      for (const language of languageCodes) {
        await preview(page, 'replaced', language);
        // The preview's own notice is not on a customer's page.
        await page.evaluate(`document.querySelectorAll('.top-notes').forEach((each) => each.remove())`);
        const bottoms = await page.evaluate<
          number[]
        >(`['#lost', '#pay .qr', '#pay .copies', '#pay .dock .btn'].map((each) =>
        [...document.querySelectorAll(each)].find((one) => one.checkVisibility()).getBoundingClientRect().bottom)`);
        assert.deepEqual(
          bottoms.map((bottom, at) => bottom > (bottoms[at - 1] ?? 0) && bottom <= phone.height),
          [true, true, true, true],
          `${language}: ${bottoms.join(', ')}`,
        );
      }
      await preview(page, 'replaced');
      assert.equal(await page.locator('#lost p').first().isVisible(), false);
      await page.locator('#lost summary', { hasText: 'Transaction dropped' }).click();
      assert.equal(await page.locator('#lost p:visible').count(), 2, 'and says all of it');
      await page.context().close();
    },
  );

  deepTest('in Arabic the price begins where the page begins, and a memo stands below its name', async () => {
    const page = await stage.browser.open();
    for (const [state, selector] of [
      ['created', '.due h1'],
      ['refunded', '.due h1'],
      ['memo', '.exact .amount'],
      ['memo', '.values .memo'],
    ] as const) {
      await preview(page, state, 'ar');
      assert.equal(
        await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).textAlign`),
        'right',
        `${selector} of ${state}`,
      );
    }
    await page.context().close();
  });
}
