/** Whom and where an account sends to: beneficiaries and target accounts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { keyActor } from '../src/http/actor.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const litecoinAddress = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';
const btc = `BTC:${testIssuer}`;

const ada = {
  firstname: 'Ada',
  lastname: 'Lovelace',
  streetName: 'St James’s Square',
  buildingNumber: 12,
  postCode: 'SW1Y 4JH',
  townName: 'London',
  country: 'gb',
};

const create = async (shop: Shop, beneficiary: object): Promise<string> =>
  (await shop.post('/beneficiary', { beneficiary })).beneficiaryId;
const read = async (shop: Shop, id: string) => (await shop.get(`/beneficiary?id=${id}`)).beneficiary;

test('a beneficiary is kept with a structured address', async () => {
  const shop = await openShop(gateway);
  const id = await create(shop, { ...ada, meta: { reference: 7 } });
  assert.deepEqual(await read(shop, id), {
    id,
    type: 'PERSON',
    firstname: 'Ada',
    lastname: 'Lovelace',
    company: null,
    email: null,
    phonenumber: null,
    taxid: null,
    streetName: 'St James’s Square',
    buildingNumber: '12',
    addressLine: null,
    postCode: 'SW1Y 4JH',
    townName: 'London',
    countrySubDivision: null,
    country: 'GB',
    meta: { reference: 7 },
    timestamp: '2026-03-01T12:00:00+00:00',
  });
});

test('the address may come inside an object, or under the names that customers have', async () => {
  const shop = await openShop(gateway);
  const nested = await read(
    shop,
    await create(shop, {
      company: 'Engines Ltd',
      address: { streetName: 'Main Street', postCode: 10115, country: 'DE' },
    }),
  );
  assert.deepEqual(
    [nested.type, nested.streetName, nested.postCode, nested.country],
    ['COMPANY', 'Main Street', '10115', 'DE'],
  );
  const flat = {
    lastname: 'Lovelace',
    adr1: 'Main Street 1',
    adr2: 'Rear',
    zip: '10115',
    city: 'Berlin',
    countrycode: 'DE',
  };
  const customer = await read(shop, await create(shop, flat));
  assert.deepEqual(
    [customer.streetName, customer.addressLine, customer.postCode, customer.townName, customer.country],
    ['Main Street 1', 'Rear', '10115', 'Berlin', 'DE'],
  );
});

test('a beneficiary is changed by PUT, and by POST with its id', async () => {
  const shop = await openShop(gateway);
  const id = await create(shop, ada);
  const put = await shop.request('PUT', '/beneficiary', { beneficiary: { id, townName: 'Paris', buildingNumber: '' } });
  assert.deepEqual([put.status, put.body], [200, { beneficiaryId: id }]);
  assert.deepEqual(await shop.post('/beneficiary', { beneficiary: { id, type: 'COMPANY', company: 'Engines' } }), {
    beneficiaryId: id,
  });
  const { townName, buildingNumber, lastname, type } = await read(shop, id);
  assert.deepEqual([townName, buildingNumber, lastname, type], ['Paris', null, 'Lovelace', 'COMPANY']);
  await shop.request('PUT', '/beneficiary', { beneficiary: { id, email: '', country: '' } });
  const { email, country } = await read(shop, id);
  assert.deepEqual([email, country], [null, null]);
  assert.deepEqual(
    await shop.refused(400, 'PUT', '/beneficiary', { beneficiary: { id, email: 'ada', country: 'D' } }),
    [
      'beneficiary.email must be an e-mail address, but is "ada".',
      'beneficiary.country must have the form ^([A-Za-z]{2})?$, but is "D".',
    ],
  );
  assert.deepEqual(await shop.refused(400, 'PUT', '/beneficiary', { beneficiary: { id, company: '' } }), [
    'beneficiary.company is missing: a company needs its name.',
  ]);
});

test('a beneficiary without a name, or in no country, is refused with all problems at once', async () => {
  const shop = await openShop(gateway);
  assert.deepEqual(await shop.refused(400, 'POST', '/beneficiary', { beneficiary: { country: 'ZZ' } }), [
    'beneficiary.lastname is missing: a person needs a name, or give company instead.',
    'beneficiary.country must be a country of ISO 3166-1 such as DE or US, but is "ZZ".',
  ]);
  assert.deepEqual(await shop.refused(400, 'POST', '/beneficiary', {}), ['beneficiary is missing.']);
});

test('a name that would be read otherwise than it is, or has what nobody can see in it, is refused', async () => {
  const shop = await openShop(gateway);
  const id = await create(shop, { lastname: 'Wirt' });
  const refusal = (path: string): string[] => [
    `${path} must not contain characters that nobody can see: type it anew instead of pasting it.`,
  ];
  for (const lastname of ['\u202etriW', 'Wirt\u2066 (Vault)\u2069', 'Wi\u200brt', 'Wirt\u200f', 'Wirt\nVault'])
    for (const [method, more] of Object.entries({ POST: {}, PUT: { id } }))
      assert.deepEqual(
        await shop.refused(400, method, '/beneficiary', { beneficiary: { ...more, lastname } }),
        refusal('beneficiary.lastname'),
      );
  const town = { lastname: 'Wirt', townName: 'Ber\u2067lin' };
  assert.deepEqual(
    await shop.refused(400, 'POST', '/beneficiary', { beneficiary: town }),
    refusal('beneficiary.townName'),
  );
  const labelled = { label: 'tluav\u202e', network: 'BITCOIN', address };
  assert.deepEqual(await shop.refused(400, 'POST', '/target-account', labelled), refusal('label'));
  const lines = await create(shop, { lastname: 'علی‌رضا', addressLine: 'Hinterhaus\nLinks' });
  assert.equal((await read(shop, lines)).addressLine, 'Hinterhaus\nLinks', 'an address has lines');
});

test('beneficiaries are listed newest first and deleted by id', async () => {
  const shop = await openShop(gateway);
  const ids: string[] = [];
  for (const lastname of ['A', 'B', 'C']) {
    gateway.clock.advance({ seconds: 1 });
    ids.unshift(await create(shop, { lastname }));
  }
  const page = await shop.get('/beneficiaries?limit=2');
  assert.deepEqual(
    page.beneficiaries.map(({ id }: any) => id),
    ids.slice(0, 2),
  );
  const rest = await shop.get(`/beneficiaries?limit=2&cursor=${page.next}`);
  assert.deepEqual([rest.beneficiaries[0].id, rest.next], [ids[2], null]);
  for (const body of [{ id: ids[0] }, { beneficiary: { id: ids[1] } }])
    assert.equal((await shop.request('DELETE', '/beneficiary', body)).status, 200);
  await shop.refused(404, 'GET', `/beneficiary?id=${ids[0]}`);
  const kept = await gateway.db`
    select id from beneficiary where merchant_id = ${shop.merchant.merchantId} and deleted_at is not null
                                 and (fields <> '{}'::jsonb or meta is not null)`;
  assert.deepEqual(kept, [], 'nothing is known of them any more');
  assert.equal((await shop.get('/beneficiaries')).beneficiaries.length, 1);
});

test('a target account is created, found by id and label, changed and deleted, and all of it is audited', async () => {
  const shop = await openShop(gateway);
  const beneficiaryId = await create(shop, ada);
  const body = { label: 'cold storage', network: 'BITCOIN', address: ` ${address}`, assets: ['BTC'], beneficiaryId };
  const { targetAccountId: id, targetAccount } = await shop.post('/target-account', body);
  assert.deepEqual(targetAccount, {
    id,
    label: 'cold storage',
    network: 'BITCOIN',
    networkName: 'Bitcoin',
    assets: [btc],
    address,
    memo: null,
    memoType: null,
    beneficiaryId,
    bic: null,
    usableFrom: targetAccount.timestamp,
    timestamp: targetAccount.timestamp,
  });
  assert.deepEqual((await shop.get(`/target-account?id=${id}`)).targetAccount, targetAccount);
  assert.deepEqual((await shop.get('/target-account?label=cold%20storage')).targetAccount, targetAccount);

  gateway.clock.advance({ seconds: 1 });
  const again = await shop.post('/target-account', body);
  assert.equal(again.targetAccountId, id, 'a client retries');
  const changed = await shop.post('/target-account', { targetAccount: { id, label: 'vault', beneficiaryId: '' } });
  const { label, beneficiaryId: named } = changed.targetAccount;
  assert.deepEqual([label, named, changed.targetAccount.address], ['vault', null, address]);

  const gone = await shop.request('DELETE', '/target-account', { label: 'vault' });
  assert.deepEqual([gone.status, gone.body], [200, { targetAccountId: id }]);
  await shop.refused(404, 'GET', '/target-account?label=vault');
  const audits = await gateway.db<{ action: string; actor: string; detail: any }>`
    select action, actor, detail from audit_log where merchant_id = ${shop.merchant.merchantId}
       and action like 'target_account%' order by id`;
  assert.deepEqual(
    audits.map(({ action, actor, detail }) => [action, actor, detail.label]),
    [
      ['target_account.created', keyActor(shop.merchant.apiKey), 'cold storage'],
      ['target_account.changed', keyActor(shop.merchant.apiKey), 'vault'],
      ['target_account.deleted', keyActor(shop.merchant.apiKey), 'vault'],
    ],
  );
});

test('a destination is not changed by basic authentication', async () => {
  const shop = await openShop(gateway);
  const { apiKey, apiSecret } = shop.merchant;
  const headers = { 'x-basic': createHash('sha256').update(`${apiKey}:${apiSecret}`).digest('hex') };
  const body = { label: 'vault', network: 'BITCOIN', address };
  const reply = await shop.request('POST', '/target-account', body, { unsigned: true, headers });
  assert.deepEqual([reply.status, reply.body.errors], [403, ['This endpoint needs digest authentication.']]);
  assert.equal((await shop.request('GET', '/target-accounts', undefined, { unsigned: true, headers })).status, 200);
});

test('a destination that is sent again is the same one, unless it is to belong to somebody else', async () => {
  const shop = await openShop(gateway);
  const [owner, other] = [await create(shop, ada), await create(shop, ada)];
  const account = { label: 'vault', network: 'BITCOIN', address, beneficiaryId: owner };
  const { targetAccountId } = await shop.post('/target-account', account);
  const { beneficiaryId: _, ...ofNobody } = account;
  for (const again of [account, ofNobody])
    assert.equal((await shop.post('/target-account', again)).targetAccountId, targetAccountId, 'a client retries');
  const taken = ['Another target account already has the label "vault".'];
  for (const beneficiaryId of [other, ''])
    assert.deepEqual(await shop.refused(409, 'POST', '/target-account', { ...account, beneficiaryId }), taken);
});

test('a label names one destination of an account', async () => {
  const [shop, other] = [await openShop(gateway), await openShop(gateway)];
  const account = { label: 'vault', network: 'BITCOIN', address };
  await shop.post('/target-account', account);
  const taken = ['Another target account already has the label "vault".'];
  const elsewhere = { ...account, network: 'LITECOIN', address: litecoinAddress };
  assert.deepEqual(await shop.refused(409, 'POST', '/target-account', elsewhere), taken);
  const { targetAccountId } = await shop.post('/target-account', { ...elsewhere, label: 'second' });
  assert.deepEqual(await shop.refused(409, 'POST', '/target-account', { id: targetAccountId, label: 'vault' }), taken);
  await other.post('/target-account', account);
});

test('a new or changed destination waits, if the account wants that', async () => {
  const shop = await openShop(gateway, { destinationWaitMinutes: 60 });
  const time = () => gateway.clock.now().getTime();
  const created = (await shop.post('/target-account', { label: 'vault', network: 'BITCOIN', address })).targetAccount;
  assert.equal(Date.parse(created.usableFrom), time() + 3_600_000);
  gateway.clock.advance({ hours: 2 });
  const beneficiaryId = await create(shop, ada);
  const named = (await shop.post('/target-account', { id: created.id, beneficiaryId })).targetAccount;
  assert.equal(named.usableFrom, created.usableFrom, 'whose it is does not matter');
  const other = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  const moved = (await shop.post('/target-account', { id: created.id, address: other })).targetAccount;
  assert.equal(Date.parse(moved.usableFrom), time() + 3_600_000);
});

test('bad destinations are refused with all problems at once', async () => {
  const shop = await openShop(gateway);
  assert.deepEqual(await shop.refused(400, 'POST', '/target-account', {}), [
    'label is missing.',
    'network is missing.',
    'address is missing.',
  ]);
  assert.deepEqual(
    await shop.refused(400, 'POST', '/target-account', {
      label: 7,
      network: 'BITCOIN',
      assets: ['LTC'],
      beneficiaryId: 'abcdefghijkl',
    }),
    [
      'label must be a text, but is 7.',
      'address is missing.',
      'assets[0] must be one of BTC on BITCOIN, but is "LTC".',
      'beneficiaryId must be the id of a beneficiary, but there is none with the id "abcdefghijkl".',
    ],
  );
  assert.deepEqual(
    await shop.refused(400, 'POST', '/target-account', { label: 'x', network: 'SEPA', address: 'DE89' }),
    ['network must be one of BITCOIN, LITECOIN, but is "SEPA".'],
  );
  assert.deepEqual(await shop.refused(400, 'DELETE', '/target-account', {}), ['id or label is missing.']);
  assert.deepEqual((await shop.get('/target-accounts')).targetAccounts, []);
});

test('an address of our own is no destination', async () => {
  const [shop, other] = [await openShop(gateway), await openShop(gateway)];
  const { depositInstructions } = await other.post('/deposit-address', { network: 'BITCOIN' });
  const own = { label: 'mine', network: 'BITCOIN', address: depositInstructions.address.toUpperCase() };
  assert.match(
    (await shop.refused(400, 'POST', '/target-account', own)).join(),
    /address belongs to this service: to receive money, use POST \/deposit-address instead\.$/,
  );
});

test('a beneficiary that a destination names cannot be deleted', async () => {
  const shop = await openShop(gateway);
  const beneficiaryId = await create(shop, ada);
  await shop.post('/target-account', { label: 'vault', network: 'BITCOIN', address, beneficiaryId });
  assert.deepEqual(await shop.refused(409, 'DELETE', '/beneficiary', { id: beneficiaryId }), [
    'This beneficiary is named by the target account vault: change or delete that first.',
  ]);
});

test('target accounts are listed newest first, page by page, and by network', async () => {
  const shop = await openShop(gateway);
  for (const [label, network] of [
    ['one', 'BITCOIN'],
    ['two', 'LITECOIN'],
    ['three', 'BITCOIN'],
  ]) {
    gateway.clock.advance({ seconds: 1 });
    await shop.post('/target-account', { label, network, address: network === 'BITCOIN' ? address : litecoinAddress });
  }
  const labels = async (query: string) =>
    (await shop.get(`/target-accounts?${query}`)).targetAccounts.map(({ label }: any) => label);
  const { next } = await shop.get('/target-accounts?limit=2');
  assert.deepEqual(await labels('limit=2'), ['three', 'two']);
  assert.deepEqual(await labels(`limit=2&cursor=${next}`), ['one']);
  assert.deepEqual(await labels('network=LITECOIN'), ['two']);
});

test("another merchant's beneficiary or destination is answered like an unknown one", async () => {
  const [owner, other] = [await openShop(gateway), await openShop(gateway)];
  const beneficiaryId = await create(owner, ada);
  const { targetAccountId } = await owner.post('/target-account', { label: 'vault', network: 'BITCOIN', address });
  for (const [method, path, id, body] of [
    ['GET', `/beneficiary?id=${beneficiaryId}`, beneficiaryId],
    ['PUT', '/beneficiary', beneficiaryId, { beneficiary: { id: beneficiaryId, lastname: 'Mallory' } }],
    ['DELETE', '/beneficiary', beneficiaryId, { id: beneficiaryId }],
    ['GET', `/target-account?id=${targetAccountId}`, targetAccountId],
    ['POST', '/target-account', targetAccountId, { id: targetAccountId, address: 'elsewhere' }],
    ['DELETE', '/target-account', targetAccountId, { id: targetAccountId }],
  ] as const) {
    const what = path.startsWith('/b') ? 'beneficiary' : 'target account';
    assert.deepEqual(await other.refused(404, method, path, body), [`There is no ${what} with the id "${id}".`]);
  }
  assert.equal((await read(owner, beneficiaryId)).lastname, 'Lovelace');
});
