/**
 * Makes a payment file of what waits: the file, its bytes and an order for each payment, all in one transaction or nothing. The
 * operator then downloads it and signs it in the bank's portal. A payment is in one file at most, whoever makes files at the
 * same moment: its payout is signed once (`insertTransaction`).
 */
import { createHash } from 'node:crypto';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { assert, present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { namesOfMerchants } from '../merchants/merchant-name-store.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { type FilingSender, isFiling } from '../networks/port/orders.ts';
import { SendRefused } from '../networks/port/sending.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { openOrderUnits } from '../sending/file-order-store.ts';
import { insertTransaction } from '../sending/outgoing-transaction-store.ts';
import { type PayoutsOn, payoutsOn } from '../sending/payout-on-network.ts';
import { queuedPayouts, type StoredPayout } from '../sending/payout-store.ts';
import { findNeverSent, refusePayouts } from '../sending/refuse-payouts.ts';
import { transactionToStore } from '../sending/transaction-to-store.ts';
import type { BankAsset } from './accept-store.ts';
import { keepPaymentBytes } from './bank-file-bytes.ts';
import { lastClosing } from './document-store.ts';
import { noPaymentFiles, nothingToPay, othersWereFaster } from './payment-file-errors.ts';
import { insertPaymentFile, type NewPaymentFile } from './payment-file-store.ts';

export type MakeDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: AssetCatalog;
  readonly encryption: Encryption;
  readonly connectors: ReadonlyMap<string, Connector>;
};

export type FileAsked = {
  /** Null: the only one that is paid from by files. */
  readonly network: string | null;
  readonly actor: Actor;
  /** The transaction in which it is made. */
  readonly begin: Begin<MadeFile>;
};

export type MadeFile = {
  readonly id: string;
  readonly network: string;
  readonly fileName: string;
  readonly orderCount: number;
  readonly asset: BankAsset;
  readonly units: bigint;
  /** What the account held by the last statement; null: none has said. */
  readonly closingUnits: bigint | null;
  /** What all orders together may still take from it, this file's among them. */
  readonly openUnits: bigint;
  /** Payments that could never be made. */
  readonly refused: readonly { readonly payoutId: string; readonly why: string }[];
};

type FilingBank = Connector & { readonly sender: FilingSender };
type Queued = { readonly payouts: readonly StoredPayout[]; readonly refused: MadeFile['refused'] };

const attemptsMax = 3;

export const filingAmong = (connectors: ReadonlyMap<string, Connector>): FilingBank[] =>
  [...connectors.values()].filter((each): each is FilingBank => each.sender !== undefined && isFiling(each.sender));

export function filingNamed(connectors: ReadonlyMap<string, Connector>, name: string | null): FilingBank {
  const all = filingAmong(connectors);
  const [only] = all;
  const bank = name === null && all.length === 1 ? only : all.find(({ network }) => network.id === name);
  if (bank) return bank;
  throw noPaymentFiles(
    name ?? '',
    all.map(({ network }) => network.id),
  );
}

export async function makePaymentFile(deps: MakeDeps, asked: FileAsked): Promise<MadeFile> {
  const bank = filingNamed(deps.connectors, asked.network);
  const on = payoutsOn(deps.assets, bank, bank.sender);
  const refused: { payoutId: string; why: string }[] = [];
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const queued = await sendable(deps, bank, on);
    refused.push(...queued.refused);
    if (queued.payouts.length === 0) throw nothingToPay(bank.network.name, refused.length);
    try {
      return await asked.begin((tx) => make(deps, tx, { bank, on, actor: asked.actor, ...queued, refused }));
    } catch (error) {
      if (!(error instanceof TakenByOthers)) throw error;
    }
  }
  throw othersWereFaster();
}

/** Another file has one of these payments in the meantime, or whoever asked for it took it back. */
class TakenByOthers extends Error {}

/** What waits, after what can never be made was refused. */
async function sendable(deps: MakeDeps, { network, sender }: FilingBank, on: PayoutsOn): Promise<Queued> {
  const refused: { payoutId: string; why: string }[] = [];
  for (;;) {
    const payouts = await queuedPayouts(deps.db, network.id, deps.clock.now(), sender.files.ordersMost);
    const never = await findNeverSent(deps.db, network, on, payouts);
    const wrong = never
      ? [never]
      : payouts.flatMap((payout) => {
          const problem = sender.files.problem(on.toOutgoing(payout));
          return problem === null ? [] : [new SendRefused(payout.id, problem.sentence)];
        });
    if (wrong.length === 0) return { payouts: payouts.slice(0, sender.files.ordersMost), refused };
    for (const each of wrong) {
      await refusePayouts(deps, each);
      refused.push({ payoutId: each.payoutId, why: each.message });
    }
  }
}

/** Who is paid sees the account's holder, which is the operator: the text says which shop it is from. */
const payeeText = ({ purpose }: StoredPayout, merchant: string): string =>
  purpose === 'refund' || purpose === 'return' ? `Refund ${merchant}` : merchant;

async function make(
  { clock, encryption }: MakeDeps,
  tx: Tx,
  { bank, on, actor, payouts, refused }: Queued & { bank: FilingBank; on: PayoutsOn; actor: Actor },
): Promise<MadeFile> {
  const { network, sender } = bank;
  const at = clock.now();
  const id = newId();
  const names = await namesOfMerchants(tx, [...new Set(payouts.map(({ merchantId }) => merchantId))]);
  const filed = payouts.map((payout) => ({
    ...on.toOutgoing(payout),
    text: payeeText(payout, names.get(payout.merchantId) ?? ''),
  }));
  const written = sender.files.write({ id, createdAt: at, payouts: filed });
  assert(written.orders.length === payouts.length, 'there is an order for each payment');

  const { id: assetId, assetCode, ledgerScale } = on.assetOf(present(payouts[0], 'a payment').asset);
  assert(
    payouts.every(({ asset }) => on.assetOf(asset).id === assetId),
    'an account is in one currency',
  );
  const { scale } = networkAsset(network, assetCode);
  const sum = payouts.reduce((total, { units }) => total + units, 0n);
  const file: NewPaymentFile = {
    id,
    network: network.id,
    fileName: written.fileName,
    mediaType: written.mediaType,
    digest: createHash('sha256').update(written.bytes).digest('hex'),
    orderCount: payouts.length,
    asset: { assetCode, scale },
    units: rescale(sum, ledgerScale, scale, 'down'),
    madeBy: actor,
    madeAt: at,
  };
  await insertPaymentFile(tx, file);
  await keepPaymentBytes(tx, encryption, id, written.bytes);
  for (const [place, signed] of written.orders.entries()) {
    const carried = [present(payouts[place], 'the payment of an order')];
    const stored = await insertTransaction(tx, transactionToStore(network, on, signed, { id: newId(), carried }), at);
    if (!stored) throw new TakenByOthers();
  }
  const detail = { id, network: network.id, orders: payouts.length, asset: assetId, units: String(sum) };
  await insertAudit(tx, { merchantId: operatorId, at, actor, action: 'bank.file_made', detail });
  const [closingUnits, open] = await Promise.all([
    lastClosing(tx, network.id),
    openOrderUnits(tx, network.id, payouts[0]?.asset ?? ''),
  ]);
  const openUnits = rescale(open, ledgerScale, scale, 'up');
  const { fileName, orderCount, asset, units } = file;
  return { id, network: network.id, fileName, orderCount, asset, units, closingUnits, openUnits, refused };
}
