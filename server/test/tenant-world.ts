/**
 * Two merchants on one gateway: an owner, who has something of every kind there is, and a stranger with a good key, a
 * listed address and a few things of its own. Whatever the stranger asks for with an id of the owner's, it must neither
 * learn nor change anything.
 */
import assert from 'node:assert/strict';
import type { Query, Tx } from '../src/db/database.ts';
import { Secret } from '../src/lib/secret.ts';
import { changeLook } from '../src/merchants/change-brand.ts';
import { createBrandingKey } from '../src/merchants/change-brand-domain.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { signAmount } from '../src/payment-links/payment-link-signature.ts';
import { aCharge, type TestMerchant } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

export type Kind =
  | 'merchant'
  | 'apiKey'
  | 'checkout' // hosted, committed
  | 'underpaid'
  | 'settled'
  | 'refund' // awaits approval
  | 'claimable'
  | 'transfer' // awaits approval
  | 'swapQuote'
  | 'swap'
  | 'deposit'
  | 'paymentLink' // signed, begun to be paid
  | 'invoiced' // hosted, paid by the customer
  | 'paper' // its invoice
  | 'customer'
  | 'beneficiary'
  | 'targetAccount'
  | 'delivery'
  | 'event'
  | 'payment'
  | 'brandingKey'
  | 'export';

export type Tenants = {
  readonly world: RefundWorld;
  readonly owner: Shop;
  readonly stranger: Shop;
  /** Another key of the owner's, for what the first one may not approve itself. */
  readonly chief: TestMerchant;
  readonly ids: Readonly<Record<Kind, string>>;
  /** The link by which the owner's customer claims a refund, and another one of the owner's. */
  readonly claims: readonly { readonly checkoutId: string; readonly token: string }[];
  /** What a container on each one's own domain says. */
  readonly doors: { readonly owner: Record<string, string>; readonly stranger: Record<string, string> };
};

export const ownerLabel = 'Rent of the owner';
export const ownerEmail = 'owner-customer@example.com';

export async function startTenants(): Promise<Tenants> {
  const world = await startRefundWorld();
  return furnish(world).catch(async (error: unknown) => {
    await world.gateway.stop(); // It would keep the process alive, and nobody would learn why.
    throw error;
  });
}

async function furnish(world: RefundWorld): Promise<Tenants> {
  const { gateway } = world;
  const [owner, stranger] = [await world.shop(), await world.shop()];
  const { merchantId } = owner.merchant;

  const customer = (await owner.post('/customer', { customer: { email: ownerEmail, firstname: 'Ada' } })).customerId;
  const beneficiary = (
    await owner.post('/beneficiary', {
      beneficiary: { type: 'COMPANY', company: 'Landlord', ...aPostalAddress },
    })
  ).beneficiaryId;
  const { targetAccountId } = await owner.post('/target-account', {
    label: ownerLabel,
    network: 'BITCOIN',
    address: aBitcoinAddress(),
    beneficiaryId: beneficiary,
  });

  const { deposit } = await fund(world, owner, '0.01');
  await fund(world, stranger, '0.01');
  const settled = (await world.paid(owner, '0.001', { charge: chargeOf(customer) })).id;
  const underpaid = [await world.underpaid(owner, '0.0006'), await world.underpaid(owner, '0.0007')];
  const claims = [];
  for (const { id } of underpaid) {
    const { refund, claimUrl } = await owner.post('/refund', { checkoutId: id, amount: '0.0004' });
    claims.push({
      checkoutId: id,
      refundId: refund.id as string,
      token: new URL(claimUrl).searchParams.get('token') ?? '',
    });
  }
  const swapped = await owner.post('/swap', { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.001' });
  const { quote } = await owner.get('/swap/quote?sourceAsset=BTC&targetAsset=LTC&sourceAmount=0.001');

  // From now on another key must agree to whatever leaves.
  await changeSettings(gateway, merchantId, { transferApprovalAbove: '0' }, 'operator');
  await forgetCredentials(world);
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.001', address: aBitcoinAddress() };
  const { transfer } = await owner.post('/transfer', order);
  const { refund } = await owner.post('/refund', { checkoutId: settled, amount: '0.0003', address: aBitcoinAddress() });
  assert.deepEqual([transfer.state, refund.state], ['AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
  const hosted = await owner.post('/checkout/hosted', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
  await owner.commit(hosted.id, 'BITCOIN');
  const invoiced = await owner.post('/checkout/hosted', { charge: chargeOf(customer), settlementAsset: 'ORIGIN' });
  await world.pay(await owner.commit(invoiced.id, 'BITCOIN'), '0.001');
  await world.mine(6);
  const { papers } = await owner.get('/papers');
  await stranger.open('60.00 USD', 'BITCOIN');
  await stranger.post('/customer', { customer: { email: 'other@example.com' } });
  const { paymentLink } = await owner.post('/payment-link', { description: 'Rent', currency: 'USD', signedOnly: true });
  const { secret } = await owner.get(`/payment-link/secret?id=${paymentLink.id}`);
  const signed = { amount: '60.00', reference: 'owner-7' };
  const signature = signAmount(new Secret(secret), paymentLink.id, signed);
  const address = `/pay/${paymentLink.id}?${new URLSearchParams({ ...signed, signature }).toString()}`;
  await fetch(`${new URL(gateway.url).origin}${address}`, { method: 'POST', redirect: 'manual' });
  const { export: made } = await owner.post('/reports/exports', { list: 'customers' });
  await gateway.runUntilIdle();

  const { deliveries } = await owner.get(`/webhook-deliveries?checkoutId=${settled}`);
  const [row] = await gateway.db<{ id: string }>`select id from payment where owner_id = ${settled}`;
  await changeLook(gateway, merchantId, { accentColour: '#7c2d12' }, 'operator');
  const doors = {
    owner: await openDoor(world, owner, 'pay.owner.example'),
    stranger: await openDoor(world, stranger, 'pay.stranger.example'),
  };
  return {
    world,
    owner,
    stranger,
    claims,
    chief: await gateway.createKey(owner.merchant),
    doors: { owner: doors.owner.headers, stranger: doors.stranger.headers },
    ids: {
      merchant: merchantId,
      apiKey: owner.merchant.apiKey,
      checkout: hosted.id,
      settled,
      customer,
      beneficiary,
      underpaid: idOf(underpaid[0]),
      claimable: claims[0]?.refundId ?? '',
      refund: refund.id,
      transfer: transfer.id,
      swap: swapped.id,
      swapQuote: quote.id,
      deposit,
      paymentLink: paymentLink.id,
      invoiced: invoiced.id,
      paper: papers[0].id,
      targetAccount: targetAccountId,
      delivery: deliveries[0].id,
      event: deliveries[0].eventId,
      payment: row?.id ?? '',
      brandingKey: doors.owner.keyId,
      export: made.id,
    },
  };
}

const aPostalAddress = {
  streetName: 'Main Street',
  buildingNumber: '1',
  postCode: '12345',
  townName: 'Town',
  country: 'DE',
};

const chargeOf = (customerId: string) => ({
  ...(aCharge('60.00 USD')['charge'] as object),
  customerId,
});

const idOf = (named: { readonly id: string } | undefined): string => named?.id ?? '';

/** Bitcoins that may leave, at a deposit that has taken them. */
async function fund(world: RefundWorld, shop: Shop, amount: string): Promise<{ deposit: string }> {
  const reply = await shop.post('/deposit-address', { network: 'BITCOIN', webhook: world.gateway.webhookUrl });
  await world.pay(reply.depositInstructions, amount);
  await world.mine(6);
  return { deposit: reply.id ?? reply.depositId };
}

/** Credentials and settings are remembered for a second of the machine's clock, which no story can move. */
const forgetCredentials = (world: RefundWorld): Promise<void> => world.gateway.restart();

async function openDoor({ gateway }: RefundWorld, { merchant }: Shop, domain: string) {
  const wish = { domain, behaviour: 'both', serviceUrl: 'https://pay.test' } as const;
  const { key, keyId } = await createBrandingKey(gateway, merchant.merchantId, wish, 'operator');
  await gateway.app.refresh();
  const headers = { 'x-ws-branding-key': key.reveal(), 'x-forwarded-for-hostname': domain };
  // The first page through a door is written down: that is over before anything is compared.
  await fetch(new URL('/en/checkout-invalid', gateway.url), { headers });
  await gateway.app.refresh();
  return { headers, keyId };
}

/** A digest of every table, without the rows of one merchant and its jobs: whatever changes for anybody else shows. */
export const digestsWithout = (query: Query, merchantId: string): Promise<ReadonlyMap<string, string>> =>
  digestsWhere(query, (owner) => `${owner} is distinct from '${merchantId}'`);

/** Likewise, of the rows of one merchant and its jobs alone. */
export const digestsOf = (query: Query, merchantId: string): Promise<ReadonlyMap<string, string>> =>
  digestsWhere(query, (owner) => `${owner} = '${merchantId}'`);

type Table = { readonly name: string; readonly is_owned: boolean };
/** They are the same in every database of a process, and looking for them takes longer than reading them. */
let tablesFound: Promise<Table[]> | undefined;

const findTables = (query: Query): Promise<Table[]> => query<Table>`
    select tables.table_name as name,
           exists (select from information_schema.columns
                    where columns.table_schema = 'public' and columns.table_name = tables.table_name
                      and columns.column_name = 'merchant_id') as is_owned
      from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;

async function digestsWhere(query: Query, isMeant: (owner: string) => string): Promise<ReadonlyMap<string, string>> {
  tablesFound ??= findTables(query);
  const tables = await tablesFound;
  const ownerOf = (name: string, isOwned: boolean): string => {
    if (name === 'job') return "payload ->> 'merchantId'";
    return isOwned ? 'merchant_id' : 'null::text';
  };
  const digests = tables.map(
    ({ name, is_owned: isOwned }) => `
      select '${name}' as name, md5(string_agg(line, '|' order by line collate "C")) as digest
        from (select "${name}"::text as line from "${name}" where ${isMeant(ownerOf(name, isOwned))}) as lines`,
  );
  const statement = [digests.join(' union all ')] as unknown as TemplateStringsArray;
  const rows = await query<{ name: string; digest: string | null }>(statement);
  return new Map(rows.map(({ name, digest }) => [name, digest ?? 'empty']));
}

/** The tables in which something is different. */
export const changedTables = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name));

/**
 * Gives another merchant a copy of all that one has, under the same ids wherever ids belong to a merchant. Ids are
 * random, so nobody ever meets the same one twice: whoever joins by an id alone is right by luck, and wrong here.
 * */
export async function copyAll(tx: Tx, from: string, to: string): Promise<void> {
  const renamed: Readonly<Record<string, string>> = {
    payment: `'tx_hash', tx_hash || ' copy'`,
    stray_transfer: `'tx_hash', tx_hash || ' copy'`,
    refund: `'id', id || ' copy', 'claim_hash', null`,
    swap: `'id', id || ' copy'`,
    transfer: `'id', id || ' copy'`,
    crumb_heap: `'id', id || ' copy', 'waiting_units', waiting_units + 1`,
    checkout: `'extra_confirmations', extra_confirmations + 7`,
    deposit: `'extra_confirmations', extra_confirmations + 7, 'is_reusable', not is_reusable`,
    deposit_total: `'payments', payments + 1, 'gross_units', gross_units + 1, 'net_units', net_units + 1`,
    event: `'body', 'a copy'`,
  };
  /** Where the first of two would be taken, the copy lies before the original: an update moves that to the end. */
  const movedBehind = ['deposit', 'deposit_total', 'event'];
  const columns = await tx<{ name: string; list: string }>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
     group by 1 having bool_or(column_name = 'merchant_id') order by 1`;
  await tx`set local session_replication_role = replica`; // Neither foreign keys nor triggers that count.
  for (const { name, list } of columns) {
    const changes = renamed[name] === undefined ? '' : `, ${renamed[name]}`;
    const copied = list.split(', ').map((column) => `copy.${column}`);
    const statement = `
      insert into "${name}" (${list}) overriding system value
      select ${copied.join(', ')} from "${name}" as original
       cross join lateral jsonb_populate_record(null::"${name}",
         to_jsonb(original) || jsonb_build_object('merchant_id', '${to}'${changes})) as copy
       where original.merchant_id = '${from}'
          on conflict do nothing`;
    await tx([statement] as unknown as TemplateStringsArray);
    const move = `update "${name}" set merchant_id = merchant_id where merchant_id = '${from}'`;
    if (movedBehind.includes(name)) await tx([move] as unknown as TemplateStringsArray);
  }
  await tx`set local session_replication_role = origin`;
}
