/**
 * Who is credited something else than what is paid at a bank has to say yes to the rate of the booking: in the settings of the
 * account, where it stays said also while there is no bank.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountsAt, type Form, type Visitor } from './account-world.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { ourIban } from './networks/statement-bank.ts';
import { openShop, type Shop } from './shop.ts';

const btc = `BTC:${testIssuer}`;
const account = { SEPA_IBAN: ourIban, SEPA_ACCOUNT_NAME: 'Shop AG', SEPA_BIC: 'HELADEF1822' };
const withoutBank = { SEPA_IBAN: '', SEPA_ACCOUNT_NAME: '', SEPA_BIC: '' };

let gateway: Gateway;
let shop: Shop;
let owner: Visitor;
before(async () => {
  const env = { ...withoutLitecoin, ...account };
  gateway = await startGateway({ hasAccount: true, env });
  shop = await openShop(gateway, { feePercent: '0' });
  owner = await accountsAt(gateway).member('owner', 'owner@rates.example', shop.merchant.merchantId);
});
after(() => gateway.stop());

const path = '/account/settings/settlement';
const name = 'rate-of-booking';
const settingsPage = async (): Promise<string> => (await owner.get(path)).text;
const checkbox = /<input type="checkbox" name="rate-of-booking" value="on"( checked)?>/;

/** As a browser would send it: what is shown, but for what somebody changes; null: a tick is taken away. */
async function save(change: Readonly<Record<string, string | null>>): Promise<void> {
  const page = await settingsPage();
  const [, form = ''] = /<form[^>]*action="\/account\/settings\/settlement"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
  const inputs = [...form.matchAll(/<input([^>]*)>/g)].flatMap(([, marks = '']) => {
    const mark = (each: string): string | undefined => new RegExp(`\\b${each}="([^"]*)"`).exec(marks)?.[1];
    const isSent = !/type="(radio|checkbox)"/.test(marks) || marks.endsWith(' checked');
    return isSent ? [[mark('name') ?? '', mark('value') ?? ''] as const] : [];
  });
  const chosen = /<select[^>]*name="asset".*?<option value="([^"]*)" selected/s.exec(form)?.[1] ?? 'ORIGIN';
  const filled: Record<string, string | null> = { ...Object.fromEntries(inputs), asset: chosen, ...change };
  const sent: Form = Object.fromEntries(
    Object.entries(filled).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  assert.equal((await owner.post(path, sent)).location, `${path}?did=saved`);
}

const payersPage = async (id: string): Promise<string> =>
  (await fetch(new URL(`/en/checkout/${id}`, gateway.url))).text();

/** A customer is sent a link, and sees by which ways 25.00 EUR can be paid. */
async function sendLink(): Promise<{ readonly id: string; readonly ways: readonly string[] }> {
  const made = await owner.post('/account/checkouts/new', { amount: '25', currency: 'EUR', description: 'A cup' });
  const [, id = ''] = /checkouts\/(\w+)\/link/.exec(made.location) ?? [];
  const page = await payersPage(id);
  return {
    id,
    ways: [...page.matchAll(/name="(?:way-[^"]*|method)" value="([A-Z]+)/g)].map(([, network = '']) => network),
  };
}

test('only who takes the rate of the booking is paid by bank for another asset, and the page asks for the price to the cent', async () => {
  assert.equal(checkbox.exec(await settingsPage())?.[1], undefined, 'nobody has said yes');
  await save({ asset: btc });
  assert.deepEqual((await sendLink()).ways, ['BITCOIN']);

  await save({ [name]: 'on' });
  assert.equal(checkbox.exec(await settingsPage())?.[1], ' checked');
  const { id, ways } = await sendLink();
  assert.deepEqual(ways, ['BITCOIN', 'SEPA']);
  await shop.commit(id, 'SEPA');
  assert.match(await payersPage(id), /<dt>Amount<\/dt><dd>25\.00.EUR<\/dd>/);
  assert.equal((await save({ [name]: null }), checkbox.exec(await settingsPage())?.[1]), undefined);
  assert.deepEqual((await sendLink()).ways, ['BITCOIN'], 'the yes can be taken back');
});

test('while there is no bank nobody is asked, and what was said stays when other settings are saved', async () => {
  const said = async (): Promise<boolean> => (await shop.get('/settings')).settings.settlement.rateOfBooking;
  for (const isYes of [true, false]) {
    await save({ asset: btc, [name]: isYes ? 'on' : null });
    await gateway.restart(undefined, withoutBank);
    const page = await settingsPage();
    assert.doesNotMatch(page, checkbox);
    assert.equal(page.includes(`<input type="hidden" name="${name}" value="on">`), isYes);
    await save({ 'tolerance-percent': isYes ? '0.4' : '0.3' });
    await gateway.restart();
    assert.equal(await said(), isYes);
    assert.equal(checkbox.exec(await settingsPage())?.[1], isYes ? ' checked' : undefined);
    assert.deepEqual((await sendLink()).ways, isYes ? ['BITCOIN', 'SEPA'] : ['BITCOIN']);
  }
});
