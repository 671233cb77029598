/**
 * What a payment looks like on three networks, for merchants who want to see their page before anybody pays. The
 * addresses belong to nobody and are for test networks, so that a sample can never be paid.
 */
import { bitcoin } from './bitcoin/bitcoin.ts';
import { lightning } from './lightning/lightning.ts';
import { type PayerInstructions, plainInstructions } from './port/payer-instructions.ts';
import { stellarIdentity } from './stellar/stellar.ts';
import { muxedField, stellarInstructions } from './stellar/stellar-payer.ts';

export type SamplePayment = {
  readonly network: string;
  readonly networkName: string;
  readonly assetCode: string;
  readonly paymentCode: string;
  readonly amount: string;
  /** Of one coin, in euros. */
  readonly price: string;
  readonly address: string;
  readonly memo: string | null;
  readonly instructions: PayerInstructions;
};

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ network: id, networkName: name });

const plain = {
  assetCode: 'BTC',
  amount: '0.00051',
  address: 'bcrt1qsamplesamplesamplesamplesamplesample',
  memo: null,
};

/** As most networks are paid: to an address. */
export const plainSample: SamplePayment = {
  ...{ ...named(bitcoin), ...plain, paymentCode: 'BTC', price: '50000.00' },
  instructions: bitcoin.payerInstructions?.({ ...plain, joint: null }) ?? plainInstructions(plain),
};

const invoice = { assetCode: 'BTCLN', amount: '51000', address: 'lnbcrt1sample', memo: null };

/** In another unit than the asset's own. */
export const invoiceSample: SamplePayment = {
  ...{ ...named(lightning), ...invoice, paymentCode: 'SAT', price: '50000.00' },
  instructions: plainInstructions(invoice),
};

const shared = {
  assetCode: 'XLM',
  amount: '102.0408164',
  address: 'GSAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLESAMPLES',
  memo: 'sample123456',
};
const stellar = stellarInstructions({
  issuers: new Map([['XLM', null]]),
  passphrase: 'Sample network',
  sign: undefined,
});

/** To an address that many share, with a memo. */
export const memoSample: SamplePayment = {
  ...{ ...named(stellarIdentity), ...shared, paymentCode: 'XLM', price: '0.25' },
  instructions: {
    ...stellar({ ...shared, joint: null }),
    fields: muxedField(`MSAMPLES${'AMPLES'.repeat(10)}A`),
  },
};
