/** A gateway and a browser for the stories of one file; where there is no browser, a test says that they were not told. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findChromium, openChromium, type WatchedBrowser } from './chromium.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';

/** There once the stories are running. */
export type BrowserStage = {
  readonly gateway: Gateway;
  readonly browser: WatchedBrowser;
  /** Where the gateway's pages are. */
  readonly origin: string;
};

export function browserStories(title: string, options: GatewayOptions, tell: (stage: BrowserStage) => void): void {
  const program = findChromium();
  if (program === undefined) {
    test(`NOT RUN: ${title}, because chromium is missing (apt-get install chromium-headless-shell)`, () => {
      assert.notEqual(process.env['CI'], 'true', 'chromium must be installed where CI=true');
    });
    return;
  }
  void describe(title, { concurrency: 1 }, () => {
    let gateway: Gateway;
    let browser: WatchedBrowser;
    before(async () => {
      [gateway, browser] = await Promise.all([startGateway(options), openChromium(program)]);
    });
    after(async () => {
      await browser.close();
      await gateway.stop();
    });
    tell({
      get gateway() {
        return gateway;
      },
      get browser() {
        return browser;
      },
      get origin() {
        return new URL(gateway.url).origin;
      },
    });
  });
}
