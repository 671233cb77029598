/** One of the staff asks for a withdrawal, another approves it, each with a passkey; and every page about accounts and money. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { invite } from '../src/people/join-account.ts';
import type { StaffRole } from '../src/people/roles.ts';
import { peopleAt } from './account-browser.ts';
import { type BrowserStage, browserStories } from './browser-stories.ts';
import { assertUsable, desk, phone } from './chromium.ts';
import { deepTest } from './depth.ts';
import { withoutLitecoin } from './gateway.ts';
import { freshAddress, mine, receivedAt } from './transfer-story.ts';

browserStories("the operator's own money", { hasAccount: true, env: withoutLitecoin }, tell);

function tell(stage: BrowserStage): void {
  const { accountUrl, open, join } = peopleAt(stage);
  let ines: Page;
  let tom: Page;
  const look = (page: Page, name: string) =>
    process.env['PICTURES'] && page.screenshot({ path: `${process.env['PICTURES']}/${name}.png`, fullPage: true });

  async function staff(name: string, email: string, staffRole: StaffRole): Promise<Page> {
    const token = await invite(stage.gateway, { email, merchantId: null, role: null, staffRole }, 'operator');
    const page = await open(`/account/welcome#${token}`);
    await join(page, name);
    await page.setViewportSize(desk);
    return page;
  }

  before(async () => {
    ines = await staff('Ines Vogt', 'ines@house.example', 'operator');
    tom = await staff('Tom Berg', 'tom@house.example', 'treasury');
    await stage.gateway.db`update staff set role_since = role_since - interval '2 days'`;
  });

  test('money is brought in, asked for by one and approved by another', async () => {
    const { gateway } = stage;
    await ines.goto(`${accountUrl()}/operator/money/bring-in`);
    await ines.getByRole('button', { name: 'Make an address' }).click();
    await ines.getByRole('heading', { name: 'Bring in on Bitcoin' }).waitFor();
    const address = (await ines.locator('[data-copy]').first().getAttribute('data-copy')) ?? '';
    gateway.bitcoin.pay({ address, amount: '0.01' });
    await mine(gateway, 6);

    const goal = freshAddress();
    await ines.goto(`${accountUrl()}/operator/money/withdraw`);
    await ines.getByLabel('Amount').fill('0.004');
    await ines.getByLabel('To this address').fill(goal);
    await assertUsable(ines, 'withdraw');
    await look(ines, 'operator-withdraw-desk');
    await ines.getByRole('button', { name: 'Sign and ask' }).click();
    await ines.getByText('waits until somebody else of the staff approves it').waitFor();
    await assertUsable(ines, 'money');
    assert.equal(await ines.getByRole('button', { name: 'Approve' }).count(), 0, 'nobody approves their own');

    await tom.goto(`${accountUrl()}/operator/money`);
    await look(tom, 'operator-money-waiting-desk');
    await tom.getByRole('button', { name: 'Approve 0.004' }).click();
    await tom.getByText('The withdrawal is approved, and on its way.').waitFor();
    await gateway.runUntilIdle();
    await mine(gateway, 6);
    assert.equal(await receivedAt(gateway, goal), 400_000n);
  });

  deepTest('an account is suspended where it is looked at, and its page says so', async () => {
    const { merchantId } = stage.gateway.merchant;
    await ines.goto(`${accountUrl()}/operator/merchants/${merchantId}`);
    await ines.getByLabel('Why, in a sentence').fill('A key of yours was stolen.');
    await ines.getByRole('button', { name: 'Suspend the account' }).click();
    await ines.getByText('The account is suspended. Its people read why.').waitFor();
    await assertUsable(ines, 'a suspended account');
    await ines.getByRole('button', { name: 'Look at' }).click();
    await ines.getByText('as staff of the operator').waitFor();
    await ines.getByText('This account is suspended: A key of yours was stolen.').waitFor();
    await assertUsable(ines, 'an account that is looked at');
    await look(ines, 'operator-look-at-desk');
    await ines.getByRole('button', { name: 'Stop looking' }).click();
    await ines.getByRole('button', { name: 'Let it work again' }).waitFor();
  });

  deepTest('every page is usable, at every size, in light and in dark', async () => {
    const { db, clock } = stage.gateway;
    const [withdrawal] = await db<{ id: string }>`select id from withdrawal order by requested_at limit 1`;
    await db`
      insert into unmatched_payment (id, network, tx_hash, tx_index, asset, units, sender, block_hash, block_height,
                                     block_time, seen_at)
      values ('nobodyasked1', 'BITCOIN', ${'ab'.repeat(32)}, '0', 'BTC', 1000, 'bcrt1qsomebody', '', 1, ${clock.now()}, ${clock.now()})`;
    await db`
      insert into unmatched_return (id, unmatched_id, address, units, fee_units, state, requested_by, requested_at)
      values ('sendingback1', 'nobodyasked1', 'bcrt1qsomebody', 1000, 0, 'AWAITING_APPROVAL', 'operator', ${clock.now()})`;
    const longName = 'Donaudampfschifffahrtsgesellschaft Versandhandel GmbH & Co. KG';
    await db`update merchant set name = ${longName} where id = ${stage.gateway.merchant.merchantId}`;
    const own = `/operator/merchants/${stage.gateway.merchant.merchantId}`;
    const money = ['/operator/money', '/operator/money/withdraw', '/operator/money/bring-in', '/operator/suspense'];
    const paths = [
      '/operator/merchants',
      '/operator/merchants/new',
      own,
      ...money,
      `/operator/money/withdrawals/${withdrawal?.id}`,
      '/operator/suspense/nobodyasked1',
      '/operator/staff',
      '/operator/audit',
    ];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const size of [phone, { width: 768, height: 1024 }, { width: 1440, height: 900 }]) {
        await ines.emulateMedia({ colorScheme });
        await ines.setViewportSize(size);
        for (const path of paths) {
          await ines.goto(`${accountUrl()}${path}`);
          const name = `${path
            .slice(1)
            .replaceAll('/', '-')
            .replace(withdrawal?.id ?? '', 'one')}-${size.width}-${colorScheme}`;
          await assertUsable(ines, name);
          await look(ines, name);
        }
      }
    await db`delete from unmatched_return`;
    await db`delete from unmatched_payment`;
  });
}
