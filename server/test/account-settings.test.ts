/** Settings, set by people on their pages and acting where they are about. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret } from '../src/lib/secret.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { findMerchant } from '../src/merchants/merchant-store.ts';
import type { Role } from '../src/people/roles.ts';
import { totpCode } from '../src/people/totp.ts';
import { lockApprovals } from '../src/wallets/approval-store.ts';
import {
  type AccountWorld,
  accountsAt,
  type Form,
  type PageAnswer,
  signed,
  type Visitor,
  words,
} from './account-world.ts';
import { aCharge, testIssuer, withoutLitecoin } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  const env = { ...withoutLitecoin, TRUSTED_PROXIES: '127.0.0.1/32' };
  world = await startRefundWorld({ env, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const settings = '/account/settings';
let people = 0;
async function member(shop: Shop, role: Role, from?: string): Promise<Visitor> {
  const self = from === undefined ? accounts.visitor() : accounts.visitor({ address: from });
  const { merchantId } = shop.merchant;
  self.lookAt(merchantId);
  const email = `settings-${role}-${(people += 1)}@example.com`;
  await self.join(await accounts.invitation(email, role, merchantId), `${role} ${people}`);
  await self.addFirstPasskey();
  await accounts.beKnown(email);
  return self;
}
const settingsOf = async (shop: Shop) => (await shop.get('/settings')).settings;
const audit = (shop: Shop, action: string) =>
  world.gateway.db<{ actor: string; detail: any; proof: string | null; address: string | null }>`
    select actor, detail, proof, address from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action = ${action} and actor like 'person:%' order by id`;
/** What the page says went wrong. */
const problem = ({ text }: PageAnswer): string => /role="alert">.*?<span>(.*?)<\/span>/s.exec(text)?.[1] ?? '';
const personOf = async (email: string): Promise<string> => {
  const [row] = await world.gateway.db<{ id: string }>`select id from person where email = ${email}`;
  return row?.id ?? '';
};

test('what electronic invoices say about the business is set in parts, and refused with what would be right', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const business: Form = { name: 'Kaffee Nord', email: '', currency: 'EUR', 'time-zone': 'Europe/Berlin' };
  const seller = { street: 'Hafenstr. 1', postcode: '20457', city: 'Hamburg', country: 'DE', taxNumber: '22/333' };
  const nothing = { vatId: null, taxNumber: null, untaxedAs: null, exemptBecause: null };
  const save = (change: Form) => owner.post(`${settings}/business`, { ...business, ...change });
  await save({ ...seller, vatId: 'de 123.456-789', untaxedAs: 'E', exemptBecause: '§ 19 UStG' });
  const saved = { ...seller, vatId: 'DE123456789', untaxedAs: 'E', exemptBecause: '§ 19 UStG' };
  assert.deepEqual((await settingsOf(shop)).seller, saved);
  assert.deepEqual((await audit(shop, 'settings.changed')).at(-1)?.detail.pageSettings.vatId, 'DE123456789');
  await save({});
  assert.deepEqual((await settingsOf(shop)).seller, saved, 'what is not on the form stays');
  for (const [change, said] of [
    [{ country: 'XX' }, /two letters of ISO 3166-1/],
    [{ vatId: '123456789' }, /must begin with the two letters of its country/],
    [{ vatId: 'DE12' }, /The VAT id DE12 cannot be right: those of DE have another form/],
    [{ city: 'Ham\u0007burg' }, /must not contain characters that nobody can see/],
    [{ name: 'Kaffee\u202e Nord' }, /must not contain characters that nobody can see/],
    [{ untaxedAs: 'Q' }, /one of the kinds on the list/],
    [{ untaxedAs: 'E', exemptBecause: '' }, /needs the reason/],
    [{ street: 'x'.repeat(101) }, /at most 100 characters/],
  ] as const)
    assert.match(problem(await save(change)), said);
  assert.deepEqual((await settingsOf(shop)).seller, saved);
  const page = await owner.get(`${settings}/business`);
  assert.match(page.text, /<option value="DE" selected>Germany/);
  const nobody = Object.fromEntries(Object.keys(saved).map((name) => [name, '']));
  await save(nobody);
  const empty = { street: null, postcode: null, city: null, country: null };
  assert.deepEqual((await settingsOf(shop)).seller, { ...empty, ...nothing });
  // The tax id that the payment page had before is what it looks like.
  const { merchantId } = shop.merchant;
  const change = (pageSettings: Record<string, unknown>) =>
    changeSettings(world.gateway, merchantId, { pageSettings }, 'operator');
  await change({ taxId: 'DE 987654321' });
  assert.deepEqual((await settingsOf(shop)).seller, { ...empty, ...nothing, vatId: 'DE987654321' });
  await change({ taxId: '47/11' });
  assert.deepEqual((await settingsOf(shop)).seller, { ...empty, ...nothing, taxNumber: '47/11' });
});

test('the business is named, placed and dated as its people say', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const business: Form = {
    name: 'Kaffee Nord',
    'postal-address': 'Hafenstr. 1\r\n\r\n 20457 Hamburg ',
    email: 'office@nord.example',
    currency: 'EUR',
    'time-zone': 'Europe/Berlin',
  };
  assert.equal((await owner.post(`${settings}/business`, business)).location, `${settings}/business?did=saved`);
  const { name, postalAddress, email, accountCurrency, timeZone } = await settingsOf(shop);
  assert.deepEqual(
    [name, postalAddress, email, accountCurrency, timeZone],
    ['Kaffee Nord', 'Hafenstr. 1\n20457 Hamburg', 'office@nord.example', 'EUR', 'Europe/Berlin'],
  );
  const [row] = await audit(shop, 'settings.changed');
  assert.match(row?.proof ?? '', /^passkey/);
  assert.equal(row?.detail.accountCurrency, 'EUR');
  await owner.post(`${settings}/business`, business);
  assert.equal((await audit(shop, 'settings.changed')).length, 1, 'what stayed as it was is no change');
  await owner.post(`${settings}/business`, { ...business, 'time-zone': 'Europe/Paris' });
  assert.deepEqual((await audit(shop, 'settings.changed')).at(-1)?.detail, {
    pageSettings: { timeZone: 'Europe/Paris' },
  });
  await owner.post(`${settings}/business`, business);

  const refused = await owner.post(`${settings}/business`, { ...business, name: '', email: 'nowhere' });
  assert.equal(refused.status, 400);
  assert.match(problem(refused), /name must be 1 to 100 characters\. The e-mail address is not valid/);
  assert.match(refused.text, /value="nowhere"/, 'nothing has to be typed twice');
  for (const wrong of [{ 'time-zone': 'Mars/Base' }, { currency: 'MOON' }, { 'postal-address': 'x\n'.repeat(7) }])
    assert.equal(
      (await owner.post(`${settings}/business`, { ...business, ...wrong })).status,
      400,
      JSON.stringify(wrong),
    );
  assert.equal((await settingsOf(shop)).name, 'Kaffee Nord');
  // A limit of 100 yen is not one of 100 euros.
  await changeSettings(world.gateway, shop.merchant.merchantId, { dailyLimit: '100' }, 'operator');
  const currency = await owner.post(`${settings}/business`, { ...business, currency: 'JPY' });
  assert.match(problem(currency), /take them off before changing it/);
  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'de' });
  const german = await owner.post(`${settings}/business`, { ...business, name: '', currency: 'JPY' });
  assert.match(problem(german), /^Der Name muss 1 bis 100 Zeichen haben\. Grenzen sind in der Kontowährung/);
  assert.equal((await (await member(shop, 'developer')).get(`${settings}/business`)).status, 403);
});

test('nobody is locked out without being told: not programs, and never oneself', async () => {
  const shop = await world.shop();
  const at = { address: '198.51.100.7' };
  const owner = await member(shop, 'owner', at.address);
  const page = `${settings}/api`;
  const example = async () => words(await owner.get('/account/developers/try-it'));
  assert.match(await example(), /X-Digest-Signature/);
  await owner.post(`${page}/auth`, { preferred: 'basic', basic: 'yes' });
  assert.match(await example(), /X-Basic: /, 'examples show what is preferred');
  const off = await owner.post(`${page}/auth`, { preferred: 'digest' });
  assert.match(words(off), /Programs that send X-Basic are refused/);
  assert.equal((await settingsOf(shop)).api.isBasicAllowed, true);
  const contrary = await owner.post(`${page}/auth`, { preferred: 'basic', sure: 'yes' });
  assert.match(problem(contrary), /cannot be preferred while it is off/);
  await owner.post(`${page}/auth`, { preferred: 'digest', sure: 'yes' });
  assert.equal((await settingsOf(shop)).api.isBasicAllowed, false);

  const asked = await owner.post(`${page}/from`, { from: 'list', people: 'yes' });
  assert.match(words(asked), /On the list: 127\.0\.0\.1\/32/);
  const shut = await owner.post(`${page}/from`, { from: 'list', people: 'yes', sure: 'yes' });
  assert.deepEqual([shut.status, /lock you out/.test(problem(shut))], [409, true]);
  assert.equal((await settingsOf(shop)).api.addresses, 'any');
  assert.match(problem(await owner.post(`${page}/allow`, { range: 'home' })), /neither an IP address/);
  await owner.post(`${page}/allow`, { range: '198.51.100.0/24', note: 'the office' });
  assert.equal(
    (await owner.post(`${page}/from`, { from: 'list', people: 'yes', sure: 'yes' })).location,
    `${page}?did=saved`,
  );
  assert.match(words(await owner.get(page)), /198\.51\.100\.0\/24 the office/);
  assert.match(problem(await owner.post(`${page}/disallow`, { range: '198.51.100.0/24' })), /lock you out/);

  const elsewhere = await member(shop, 'viewer', '192.0.2.9');
  const outside = await elsewhere.get('/account/checkouts');
  assert.deepEqual([outside.status, /only be reached from addresses on its list/.test(outside.text)], [403, true]);
  assert.equal((await elsewhere.get('/account/my-sign-in')).status, 200, 'the own sign-in is no account');
  assert.equal((await owner.get('/account/checkouts')).status, 200);
  const [row] = await audit(shop, 'address.allowed');
  assert.deepEqual([row?.detail.range, row?.address], ['198.51.100.0/24', at.address]);
});

/** A key's settings are remembered for a second. */
const rememberedAnew = (): void => world.gateway.clock.advance({ seconds: 1 });

test('what a charge leaves out is credited as the account says, within its risk', async () => {
  const shop = await world.shop();
  await stockTreasury(world.gateway, `USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN`, 10_000_0000000n);
  await stockTreasury(world.gateway, `BTC:${testIssuer}`, 1_00000000n);
  await world.gateway.runUntilIdle();
  const owner = await member(shop, 'owner');
  const page = `${settings}/settlement`;
  const usual: Form = {
    asset: 'ORIGIN',
    risk: 'MEDIUM',
    'tolerance-percent': '0,5',
    'tolerance-amount': '0.50',
    'late-percent': '5',
    'accept-percent': '',
    confirmations: '0',
  };
  const creditedIn = async (more: object = {}): Promise<string[]> => {
    const { settlementAsset: _, ...charge } = aCharge('60.00 USD');
    const { paymentMethods } = await shop.post('/checkout', { ...charge, ...more });
    return paymentMethods
      .filter(({ network }: { network: string }) => network === 'BITCOIN')
      .map(({ settlement }: any) => settlement.assetId.replace(/:.*/, ''));
  };
  assert.deepEqual(await creditedIn(), ['BTC']);
  const opened = await owner.get(page);
  const usdc = /<option value="(USDC:[^"]+)"/.exec(opened.text)?.[1] ?? '';
  assert.equal((await owner.post(page, { ...usual, asset: usdc })).location, `${page}?did=saved`);
  rememberedAnew();
  assert.deepEqual(await creditedIn(), ['USDC']);
  assert.deepEqual(await creditedIn({ settlementAsset: 'ORIGIN' }), ['BTC'], 'what is named stays');
  const link = { amount: '60', currency: 'USD', description: 'A cup' };
  const made = await owner.post('/account/checkouts/new', link);
  const id = /checkouts\/(\w+)\/link/.exec(made.location)?.[1] ?? '';
  assert.match((await shop.checkout(id)).settlementAssetId, /^USDC:/, 'also by payment links');

  const origin = { settlementAsset: 'ORIGIN' };
  // With LOW a bridged coin can be paid with, and is not held.
  assert.equal((await owner.post(page, { ...usual, asset: usdc, risk: 'LOW' })).status, 303);
  rememberedAnew();
  assert.deepEqual(await creditedIn(), ['USDC']);
  const sentences = await shop.refused(422, 'POST', '/checkout', aCharge('60.00 USD', origin));
  assert.match(sentences.join(' '), /takes no BTC, because its risk tolerance is LOW/);
  assert.match(sentences.at(-1) ?? '', /^Name .*USDC.* as settlementAsset.* or give .* a risk tolerance of MEDIUM/);
  const bitcoin = { settlementAsset: 'BTC' };
  assert.match((await shop.refused(400, 'POST', '/checkout', aCharge('60.00 USD', bitcoin)))[0] ?? '', /of LOW risk/);
  assert.match((await shop.refused(400, 'POST', '/deposit-address', { network: 'BITCOIN' }))[0] ?? '', /asset must be/);
  const { assets } = await shop.get('/assets');
  const btc = assets.find(({ assetCode }: { assetCode: string }) => assetCode === 'BTC');
  assert.deepEqual([btc.checkouts, btc.deposits, btc.settlement], [true, false, false]);
  const wrong = await owner.post(page, { ...usual, asset: btc.id, risk: 'LOW' });
  assert.match(problem(wrong), /riskier than the account takes/);
  const unpayable = await owner.post(page, { ...usual, asset: 'ORIGIN', risk: 'LOW' });
  assert.equal(unpayable.status, 400);
  assert.match(problem(unpayable), /Nothing could be paid.* Choose .*USDC.*, or accept low and medium risk/);
  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'de' });
  const german = await owner.post(page, { ...usual, asset: btc.id, risk: 'LOW' });
  assert.match(problem(german), /In .*BTC.* kann dem Konto nicht gutgeschrieben werden/);
  await owner.post('/account/my-sign-in/profile', { name: 'Ada', language: 'en' });
  for (const [name, value] of Object.entries({
    'tolerance-percent': '6',
    'late-percent': '',
    'accept-percent': '100',
    confirmations: '1.5',
    risk: 'HIGH',
  }))
    assert.equal((await owner.post(page, { ...usual, [name]: value })).status, 400, `${name} ${value}`);
  const { settlement } = await settingsOf(shop);
  assert.deepEqual([settlement.asset, settlement.riskTolerance, settlement.tolerancePercent], [usdc, 'LOW', '0.5']);
});

test('the first step of the set-up leaves what is credited alone, also where nobody could choose it any more', async () => {
  const shop = await world.shop({ pageSettings: { timeZone: 'UTC' } });
  const { merchantId } = shop.merchant;
  const owner = await member(shop, 'owner');
  const page = '/account/set-up/business';
  const gone = 'SHELLS:GONE';
  await world.gateway.db`update merchant set settlement_asset = ${gone} where id = ${merchantId}`;
  assert.match((await owner.get(page)).text, new RegExp(`<option value="${gone}" selected>`));
  const form = { name: 'Corner shop', currency: 'USD', 'time-zone': 'Europe/Berlin', asset: gone };
  assert.equal((await owner.post(page, form)).location, '/account/set-up/after/business');
  const { name, settlementAsset, pageSettings } = (await findMerchant(world.gateway.db, merchantId)) ?? {};
  assert.deepEqual([name, settlementAsset, pageSettings?.['timeZone']], ['Corner shop', gone, 'Europe/Berlin']);
  assert.match(problem(await owner.post(page, { ...form, asset: 'PEARLS:GONE' })), /cannot be credited in PEARLS/);
});

test('one person alone changes limits at once; with a second one they wait for that person', async () => {
  const shop = await world.shop();
  const page = `${settings}/limits`;
  const owner = await member(shop, 'owner');
  const limits: Form = {
    'approval-above': '1000',
    'refunds-above': '',
    'per-day': '',
    support: '50',
    'destination-wait': '60',
  };
  assert.equal((await owner.post(page, limits)).location, `${page}?did=saved`);
  assert.deepEqual((await settingsOf(shop)).limits, {
    approvalAbove: '1000',
    refundApprovalAbove: null,
    perDay: null,
    support: '50',
    destinationWaitMinutes: 60,
  });

  const admin = await member(shop, 'admin');
  const asked = await owner.post(page, { ...limits, 'approval-above': '', 'per-day': '5000' });
  assert.equal(asked.location, `${page}?did=waiting`);
  assert.equal((await settingsOf(shop)).limits.approvalAbove, '1000');
  const waiting = await owner.get(page);
  assert.match(words(waiting), /approves above: \$1,000 → no approval/);
  const id = /policyToApprove\.(\w+)/.exec(waiting.text)?.[1] ?? '';
  const change = `${settings}/changes/${id}`;
  const seen = await admin.get(`/account/needs-you?open=policyToApprove.${id}`);
  assert.match(words(seen), /A change of limits or addresses waits.*At most in 24 hours: no limit → \$5,000/);
  assert.match(words(seen), /Asked by owner/);

  assert.equal((await signed(owner, `${change}/approve`, {})).status, 403, 'never one’s own');
  assert.equal((await admin.post(`${change}/approve`)).status, 403, 'nothing was signed');
  const stranger = await member(await world.shop(), 'owner');
  assert.equal((await signed(stranger, `${change}/approve`, {})).status, 404);
  await owner.post(page, { ...limits, 'approval-above': '1' });
  const other = [...(await owner.get(page)).text.matchAll(/policyToApprove\.(\w+)/g)]
    .map(([, each]) => each)
    .find((each) => each !== id);
  const ofOther = await admin.post(`${settings}/changes/${other}/approve`, {}, { 'x-ask': 'passkey' });
  assert.equal((await admin.post(`${change}/approve`, { proof: admin.device.answer(ofOther.json) })).status, 409);
  assert.equal((await settingsOf(shop)).limits.approvalAbove, '1000');

  const approved = await signed(admin, `${change}/approve`, {});
  assert.equal(approved.location, '/account/needs-you?did=policyApproved');
  const after = (await settingsOf(shop)).limits;
  assert.deepEqual([after.approvalAbove, after.perDay, after.support], [null, '5000', '50']);
  assert.equal((await signed(admin, `${change}/approve`, {})).status, 409, 'once');
  const [decided] = await audit(shop, 'policy.approved');
  assert.match(decided?.proof ?? '', /signed: approve change .*"dailyLimit":\s?"5000".* in USD, in the account /);
  const rows = await audit(shop, 'settings.changed');
  assert.equal(rows.at(-1)?.detail.approvedBy, decided?.actor, 'the change names both');
  assert.notEqual(rows.at(-1)?.actor, decided?.actor);

  // Taken back by who asked, refused by the other: it vanishes, and nothing changes.
  assert.equal(
    (await owner.post(`${settings}/changes/${other}/refuse`)).location,
    '/account/needs-you?did=policyWithdrawn',
  );
  assert.doesNotMatch((await admin.get('/account/needs-you')).text, /policyToApprove/);
  await owner.post(`${settings}/api/allow`, { range: '203.0.113.0/24' });
  const third = /policyToApprove\.(\w+)/.exec((await admin.get('/account/needs-you')).text)?.[1] ?? '';
  assert.equal(
    (await admin.post(`${settings}/changes/${third}/refuse`)).location,
    '/account/needs-you?did=policyRefused',
  );
  assert.deepEqual((await settingsOf(shop)).api.allowedAddresses, ['127.0.0.1/32']);
  const impossible = await owner.post(page, { ...limits, 'approval-above': 'much' });
  assert.deepEqual([impossible.status, /A limit is an amount/.test(problem(impossible))], [400, true]);
});

test('two who decide at once decide once, and whoever was put out decides nothing', async () => {
  const shop = await world.shop();
  const [owner, second, third] = [
    await member(shop, 'owner'),
    await member(shop, 'owner'),
    await member(shop, 'admin'),
  ];
  const limits = { 'approval-above': '10', 'destination-wait': '0' };
  await owner.post(`${settings}/limits`, limits);
  const id = /policyToApprove\.(\w+)/.exec((await second.get('/account/needs-you')).text)?.[1] ?? '';
  const answers = await Promise.all(
    [second, third].map((each) => signed(each, `${settings}/changes/${id}/approve`, {})),
  );
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['303', '409']);
  assert.equal((await audit(shop, 'settings.changed')).length, 1);

  await third.post(`${settings}/limits`, { ...limits, 'approval-above': '' });
  const asked = /policyToApprove\.(\w+)/.exec((await owner.get('/account/needs-you')).text)?.[1] ?? '';
  const [row] = await world.gateway.db<{ by: string }>`
    select requested_by as by from policy_change where merchant_id = ${shop.merchant.merchantId} and id = ${asked}`;
  await owner.post('/account/people/remove', { person: row?.by ?? '' });
  const removal = /policyToApprove\.(\w+)/.exec((await owner.get('/account/people')).text)?.[1] ?? '';
  assert.equal((await signed(second, `${settings}/changes/${removal}/approve`, {})).status, 303);
  assert.doesNotMatch((await owner.get('/account/needs-you')).text, /policyToApprove/, 'it left with who asked');
  assert.equal((await settingsOf(shop)).limits.approvalAbove, '10');
});

test('who approves from now on is approved by a second person first', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const alone = await owner.post('/account/people/invite', { email: 'first-admin@example.com', role: 'admin' });
  assert.match(words(alone), /welcome#/, 'alone there is nobody to ask');
  const admin = await member(shop, 'admin');
  const viewer = await member(shop, 'viewer');
  const viewerId = await personOf(`settings-viewer-${people}@example.com`);
  assert.match(
    words(await owner.post('/account/people/invite', { email: 'v@example.com', role: 'viewer' })),
    /welcome#/,
  );
  assert.equal(
    (await owner.post('/account/people/invite', { email: 'a@example.com', role: 'accountant' })).location,
    '/account/people?did=waiting',
    'whose orders they could approve',
  );
  assert.equal(
    (await owner.post('/account/people/invite', { email: 'o@example.com', role: 'owner' })).location,
    '/account/people?did=waiting',
  );
  assert.equal(
    (await admin.post('/account/people/role', { person: viewerId, role: 'admin' })).location,
    '/account/people?did=waiting',
  );
  assert.equal((await admin.post('/account/people/invite', { email: 'o2@example.com', role: 'owner' })).status, 403);
  assert.match(words(await owner.get('/account/people')), /o@example\.com is invited as owner/);
  const links = await world.gateway.db`select from one_time_link where email = 'o@example.com'`;
  assert.equal(links.length, 0, 'no link before somebody has approved');

  const [invited, promoted] = await world.gateway.db<{ id: string }>`
    select id from policy_change where merchant_id = ${shop.merchant.merchantId} and change->>'role' <> 'accountant'
     order by requested_at, change->>'kind'`;
  const shown = await signed(admin, `${settings}/changes/${invited?.id}/approve`, {});
  const token = /welcome#([\w-]+)/.exec(shown.text)?.[1] ?? '';
  assert.equal((await accounts.visitor().join(token, 'Another owner')).status, 303);
  assert.equal((await signed(owner, `${settings}/changes/${promoted?.id}/approve`, {})).status, 303);
  assert.equal(
    (await viewer.get('/account/people')).location,
    '/account/sign-in?next=%2Faccount%2Fpeople',
    'signed in anew',
  );
});

test('whoever puts out the only other one who approves decides nothing alone for a week', async () => {
  const shop = await world.shop();
  const limits = { 'approval-above': '1000', 'destination-wait': '0' };
  const owner = await member(shop, 'owner');
  await owner.post(`${settings}/limits`, limits);
  const admin = await member(shop, 'admin');
  const adminId = await personOf(`settings-admin-${people}@example.com`);
  const raise = () => owner.post(`${settings}/limits`, { ...limits, 'approval-above': '' });
  const above = async () => (await settingsOf(shop)).limits.approvalAbove;

  // Put out at once: a thief must not stay until somebody agrees. But what two decided is not decided by one now.
  assert.equal((await owner.post('/account/people/remove', { person: adminId })).location, '/account/people');
  assert.match((await admin.get('/account/people')).location, /^\/account\/sign-in/);
  const refused = await raise();
  assert.deepEqual([refused.status, /left this account less than 7 days ago/.test(problem(refused))], [409, true]);
  for (const role of ['admin', 'accountant'])
    assert.equal((await owner.post('/account/people/invite', { email: 'own@example.com', role })).status, 409, role);
  await member(shop, 'viewer');
  const viewerId = await personOf(`settings-viewer-${people}@example.com`);
  assert.equal((await owner.post('/account/people/role', { person: viewerId, role: 'admin' })).status, 409);
  assert.equal((await owner.post('/account/people/role', { person: viewerId, role: 'developer' })).status, 303);
  assert.equal(await above(), '1000');
  // The operator is the way out for whoever cannot wait.
  await member(shop, 'admin');
  const second = await personOf(`settings-admin-${people}@example.com`);
  assert.equal((await raise()).location, `${settings}/limits?did=waiting`);

  // To give somebody less is to put them out.
  assert.equal((await owner.post('/account/people/role', { person: second, role: 'accountant' })).status, 303);
  await world.pass({ hours: 24 * 7 - 1 });
  await owner.signInWithPasskey();
  assert.equal((await raise()).status, 409);
  await world.pass({ hours: 2 });
  await owner.prove();
  assert.equal((await owner.post('/account/people/role', { person: second, role: 'admin' })).status, 303);
  const told = await audit(shop, 'person.role_changed');
  assert.equal(told.at(-1)?.detail.role, 'admin', 'after a week one is alone, and decides alone');
  await world.gateway.db`delete from passkey where person_id = ${second}`;
  assert.equal((await raise()).status, 303);
  assert.equal(await above(), null, 'who has no passkey approves nothing, so nobody waits for them');
});

test('where a third one approves, nobody is put out by one alone, and nobody becomes one who approves', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const [second, third] = [await member(shop, 'owner'), await member(shop, 'admin')];
  const thirdId = await personOf(`settings-admin-${people}@example.com`);
  await member(shop, 'accountant');
  const accountantId = await personOf(`settings-accountant-${people}@example.com`);
  const waits = '/account/people?did=waiting';
  assert.equal((await owner.post('/account/people/remove', { person: thirdId })).location, waits);
  assert.equal((await owner.post('/account/people/role', { person: thirdId, role: 'viewer' })).location, waits);
  assert.equal((await owner.post('/account/people/role', { person: accountantId, role: 'admin' })).location, waits);
  assert.equal((await third.get('/account/people')).status, 200, 'nothing has happened yet');
  assert.match(
    words(await second.get('/account/people')),
    /(?=.*admin \d+ is removed from)(?=.*admin \d+ becomes viewer)/,
  );

  const [removal] = await world.gateway.db<{ id: string }>`
    select id from policy_change where merchant_id = ${shop.merchant.merchantId} and change->>'kind' = 'removal'`;
  assert.equal((await signed(owner, `${settings}/changes/${removal?.id}/approve`, {})).status, 403, 'not by oneself');
  assert.equal((await signed(second, `${settings}/changes/${removal?.id}/approve`, {})).status, 303);
  assert.match((await third.get('/account/people')).location, /^\/account\/sign-in/);
  const [removed] = await audit(shop, 'person.removed');
  assert.ok(removed?.detail.approvedBy.startsWith('person:'));
});

test('who gives up the last passkey leaves the account without a second one, which is known for a week', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const admin = await member(shop, 'admin');
  const adminId = await personOf(`settings-admin-${people}@example.com`);
  const secret =
    /name="secret" readonly value="(\w+)"/.exec((await admin.get('/account/my-sign-in/totp')).text)?.[1] ?? '';
  const code = totpCode(new Secret(secret), BigInt(Math.floor(world.gateway.clock.now().getTime() / 30_000)));
  assert.equal((await admin.post('/account/my-sign-in/totp', { secret, 'new-code': code })).status, 303);
  const [passkey] = await world.gateway.db<{ id: string }>`select id from passkey where person_id = ${adminId}`;
  const gone = await admin.post('/account/my-sign-in/passkey/remove', { passkey: passkey?.id ?? '' });
  assert.equal(gone.location, '/account/my-sign-in', gone.text);
  const alone = await owner.post(`${settings}/limits`, { 'approval-above': '5', 'destination-wait': '0' });
  assert.deepEqual([alone.status, /less than 7 days ago/.test(problem(alone))], [409, true], alone.location);
});

test('no more leaves in a day than the account allows, also if it is approved', async () => {
  const shop = await world.shop();
  for (const _ of [1, 2]) await world.paid(shop, '0.001');
  await world.mine(6);
  // 0.0005 BTC are 30 dollars.
  const daily = { dailyLimit: '50', transferApprovalAbove: '40' };
  await changeSettings(world.gateway, shop.merchant.merchantId, daily, 'operator');
  const order = (amount: string) => ({ network: 'BITCOIN', asset: 'BTC', amount, address: aBitcoinAddress() });
  const waiting = (await shop.post('/transfer', order('0.0007'))).transfer;
  assert.equal(waiting.state, 'AWAITING_APPROVAL');
  // What nobody has approved holds up nobody. But once another has left, it is too much.
  assert.equal((await shop.post('/transfer', order('0.0005'))).transfer.state, 'QUEUED');
  const first = await member(shop, 'owner');
  const tooMuch = await signed(first, `/account/transfers/${waiting.id}/approve`, {});
  assert.deepEqual([tooMuch.status, /within 24 hours/.test(problem(tooMuch))], [409, true]);
  const [sentence] = await shop.refused(409, 'POST', '/transfer', order('0.0009'));
  assert.match(sentence ?? '', /No more than 50 USD leaves this account within 24 hours/, 'too much for any day');
  await shop.post('/transfer/cancel', { id: waiting.id });

  // What was asked for yesterday and is approved today leaves today.
  await world.pass({ hours: 25 });
  const late = (await shop.post('/transfer', order('0.00075'))).transfer;
  await world.pass({ hours: 25 });
  await shop.post('/transfer', order('0.0001'));
  const owner = await member(shop, 'owner');
  const refused = await signed(owner, `/account/transfers/${late.id}/approve`, {});
  assert.deepEqual([refused.status, /within 24 hours/.test(problem(refused))], [409, true]);

  // So it is where it would not leave at once: nobody approves what must then wait for room.
  await shop.post('/transfer/cancel', { id: late.id });
  await changeSettings(world.gateway, shop.merchant.merchantId, { destinationWaitMinutes: 3 * 24 * 60 }, 'operator');
  const slow = (await shop.post('/transfer', order('0.00075'))).transfer;
  const early = await signed(owner, `/account/transfers/${slow.id}/approve`, {});
  assert.deepEqual([early.status, /within 24 hours/.test(problem(early))], [409, true]);
  assert.equal((await shop.get(`/transfer?id=${slow.id}`)).transfer.state, 'AWAITING_APPROVAL');
});

test('what waits for its destination counts until it has left, and the limit is asked once more then', async () => {
  const shop = await world.shop();
  for (const _ of [1, 2]) await world.paid(shop, '0.001');
  await world.mine(6);
  const { merchantId } = shop.merchant;
  const set = (change: Parameters<typeof changeSettings>[2]) =>
    changeSettings(world.gateway, merchantId, change, 'operator');
  await set({ dailyLimit: '50', destinationWaitMinutes: 3 * 24 * 60 });
  const order = (amount: string) => ({ network: 'BITCOIN', asset: 'BTC', amount, address: aBitcoinAddress() });
  const waiting = (await shop.post('/transfer', order('0.0007'))).transfer;
  assert.equal(waiting.state, 'WAITING');
  await world.pass({ hours: 60 });
  await set({ destinationWaitMinutes: 0 });
  await shop.refused(409, 'POST', '/transfer', order('0.0005'));
  assert.equal((await shop.post('/transfer', order('0.0001'))).transfer.state, 'QUEUED');
  await set({ dailyLimit: '45' });
  await world.pass({ hours: 11 });
  assert.equal((await shop.get(`/transfer?id=${waiting.id}`)).transfer.state, 'WAITING');
  await world.pass({ hours: 1 });
  const stateOf = async (): Promise<string> => (await shop.get(`/transfer?id=${waiting.id}`)).transfer.state;
  assert.equal(await stateOf(), 'WAITING', 'what two people wanted is not given up: there is room again later');
  const shown = await (await member(shop, 'owner')).get(`/account/transfers/${waiting.id}`);
  assert.match(
    words(shown),
    /because more than the account allows would leave within 24 hours, and is tried again Mar/,
  );
  assert.match(words(shown), /Cancel this transfer/);
  const next = new Date(world.gateway.clock.now().getTime() + 3_600_000).toISOString();
  assert.ok(shown.text.includes(`and is tried again <time datetime="${next}">`), next);
  await world.pass({ hours: 12 });
  assert.equal(await stateOf(), 'SENT', 'a day after the other one');
});

test('a limit that is set while an order is under way holds for it', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  const { id } = await world.paid(shop, '0.0015');
  await world.mine(6);
  const { merchantId } = shop.merchant;
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0004', address: aBitcoinAddress() };
  const [transfer, refund] = await meetAt(
    world.gateway.db,
    async (tx) => {
      await lockApprovals(tx, merchantId);
      await tx`update merchant set transfer_approval_above = '0' where id = ${merchantId}`;
    },
    [
      () => shop.request('POST', '/transfer', order),
      () => shop.request('POST', '/refund', { checkoutId: id, address: aBitcoinAddress() }),
    ],
  );
  assert.equal(transfer?.body.transfer.state, 'AWAITING_APPROVAL');
  assert.equal(refund?.body.refund.state, 'AWAITING_APPROVAL');
});

test('support decides and gives back up to its own limit, and nothing without one', async () => {
  const shop = await world.shop();
  const support = await member(shop, 'support');
  const few = await world.underpaid(shop, '0.0009');
  const much = await world.underpaid(shop, '0.0002');
  const at = (id: string) => `/account/checkouts/${id}`;
  const none = await support.post(`${at(few.id)}/accept`);
  assert.deepEqual([none.status, await shop.state(few.id)], [403, 'UNDERPAID PARTIAL']);
  assert.doesNotMatch((await support.get(at(few.id))).text, /value="accept"/);

  // Of the first one 6 dollars are missing, of the second one 48.
  await changeSettings(world.gateway, shop.merchant.merchantId, { supportLimit: '10' }, 'operator');
  assert.match((await support.get(at(few.id))).text, /value="accept"/);
  assert.equal((await support.post(`${at(few.id)}/accept`)).status, 303);
  assert.equal(await shop.state(few.id), 'RESOLVED PARTIAL');
  assert.equal((await support.post(`${at(much.id)}/accept`)).status, 403);
  // What is given up counts together: six dollars and six dollars are more than ten.
  const another = await world.underpaid(shop, '0.0009');
  await support.signInWithPasskey();
  const again = await support.post(`${at(another.id)}/accept`);
  assert.deepEqual([again.status, await shop.state(another.id)], [403, 'UNDERPAID PARTIAL'], again.location);
  const over = await world.paid(shop, '0.0012');
  assert.equal((await support.post(`${at(over.id)}/keep`)).status, 403, '12 dollars');
  const [little, more] = [await world.paid(shop, '0.0011'), await world.paid(shop, '0.0011')];
  await world.mine(6);
  assert.equal((await support.post(`${at(little.id)}/keep`)).status, 303, '6 dollars');
  assert.equal((await support.post(`${at(more.id)}/keep`)).status, 403, 'and 6 more are 12 in a day');
  assert.equal(await shop.state(much.id), 'UNDERPAID PARTIAL');

  const ofBalance = {
    context: 'COMPLETED_CHECKOUT',
    asset: 'BTC',
    network: 'BITCOIN',
    amount: '0.0001',
    fee: 'customer',
  };
  const review = `${at(little.id)}/refund?${new URLSearchParams({ ...ofBalance, address: aBitcoinAddress() }).toString()}`;
  assert.match(
    words(await support.get(review)),
    /Your role does not see the balance: if it is too small, this is refused/,
  );
  const tooMuch = await support.get(review.replace('amount=0.0001', 'amount=0.0005'));
  assert.match(words(tooMuch), /This is more than your role may decide/, 'nobody signs what is refused afterwards');
  const owner = await member(shop, 'owner');
  assert.doesNotMatch(words(await owner.get(review)), /Your role does not see the balance/);

  const back: Form = {
    asset: 'BTC',
    network: 'BITCOIN',
    fee: 'customer',
    context: 'UNDERPAID_CHECKOUT',
    address: aBitcoinAddress(),
  };
  const give = (amount: string) => signed(support, `${at(much.id)}/refund`, { ...back, amount });
  assert.equal((await give('0.0002')).status, 403, '12 dollars');
  assert.equal((await give('0.0001')).status, 303, '6 dollars');
  assert.equal((await give('0.0001')).status, 403, 'and 6 more are 12 in a day');
  await world.pass({ hours: 25 });
  await support.signInWithPasskey();
  assert.equal((await give('0.0001')).status, 303);
  assert.equal((await support.post(`${at(another.id)}/accept`)).status, 303, 'a day later');
  assert.equal((await support.post(`${at(more.id)}/keep`)).status, 303, 'a day later');
});

test('a limit for support that was lowered meanwhile holds what was asked for before', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  await changeSettings(world.gateway, merchantId, { supportLimit: '10' }, 'operator');
  const support = await member(shop, 'support');
  const [few, over] = [await world.underpaid(shop, '0.0009'), await world.paid(shop, '0.0011')];
  await world.mine(6);
  const answers = await meetAt(
    world.gateway.db,
    async (tx) => {
      await lockApprovals(tx, merchantId);
      await tx`update merchant set support_limit = '1' where id = ${merchantId}`;
    },
    [
      () => support.post(`/account/checkouts/${few.id}/accept`),
      () => support.post(`/account/checkouts/${over.id}/keep`),
    ],
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403],
  );
});
