/**
 * What a payment looks like on three networks, for merchants who want to see their page before anybody pays. The
 * addresses belong to nobody and are of test networks, so that nobody can pay to a sample.
 */
import { bitcoin } from './bitcoin/bitcoin.ts';
import { lightning } from './lightning/lightning.ts';
import type { NetworkDefinition } from './port/definition.ts';
import { type InWords, type PayerInstructions, plainInstructions } from './port/payer-instructions.ts';
import { stellarIdentity } from './stellar/stellar.ts';
import { stellarInstructions, withoutLink } from './stellar/stellar-payer.ts';

export type SamplePayment = {
  readonly network: string;
  readonly networkName: string;
  /** Beside other ways of paying the same coin. */
  readonly wayName: string | InWords;
  readonly assetCode: string;
  readonly paymentCode: string;
  readonly amount: string;
  /** Of one coin, in euros. */
  readonly price: string;
  readonly address: string;
  readonly memo: string | null;
  readonly instructions: PayerInstructions;
};

const named = ({ id, name, wayName }: Pick<NetworkDefinition, 'id' | 'name' | 'wayName'>) => ({
  network: id,
  networkName: name,
  wayName: wayName ?? name,
});

const plain = {
  assetCode: 'BTC',
  amount: '0.00051',
  address: 'bcrt1qsamplesamplesamplesamplesamplesample',
  memo: null,
};

/** To an address, as on most networks. */
export const plainSample: SamplePayment = {
  ...named(bitcoin),
  ...plain,
  paymentCode: 'BTC',
  price: '50000.00',
  instructions: bitcoin.payerInstructions?.({ ...plain, joint: null }) ?? plainInstructions(plain),
};

/** As long as a real one with hints for the route, so that its code is as dense. */
const invoiceText = `lnbcrt510u1${'sample'.repeat(70)}`;
const invoice = { assetCode: 'BTCLN', amount: '51000', address: invoiceText, memo: null };

/** An invoice, with the amount in another unit than the asset's own. */
export const invoiceSample: SamplePayment = {
  ...named(lightning),
  ...invoice,
  paymentCode: 'SAT',
  price: '50000.00',
  instructions: lightning.payerInstructions?.({ ...invoice, joint: null }) ?? plainInstructions(invoice),
};

const shared = {
  assetCode: 'XLM',
  amount: '102.0408164',
  address: 'GSAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLES',
  memo: 'sample123456',
};
/** Signed, and as long as a link for a coin that is issued, so that its code is as dense as the densest real one. */
const stellar = stellarInstructions({
  issuers: new Map([['XLM', null]]),
  passphrase: 'Sample network of nobody; there is no other one with so long a name and so many words in it',
  sign: (link) => `${link}&origin_domain=pay.sample-shop.example&signature=${'sample'.repeat(14)}sa%3D%3D`,
});

/** To an address that many share, with a memo. */
export const memoSample: SamplePayment = {
  ...named(stellarIdentity),
  ...shared,
  paymentCode: 'XLM',
  price: '0.25',
  instructions: {
    ...stellar({ ...shared, joint: null }),
    ...withoutLink(shared.address, shared.memo, `MSAMPLES${'AMPLES'.repeat(10)}A`),
  },
};
