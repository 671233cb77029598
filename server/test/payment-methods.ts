/** Every way to pay: what the payer does on each network. The prices are those of the sandbox. */
import assert from 'node:assert/strict';
import { sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { knownAssets } from '../src/catalog/known-assets.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import type { Gateway } from './gateway.ts';
import type { Committed } from './shop.ts';

export type Code = 'BTC' | 'BTCLN' | 'LTC' | 'ETH' | 'USDC' | 'USDT' | 'XLM' | 'EUR';
export type Method = { readonly network: string; readonly code: Code };

export const methods: readonly Method[] = [
  { network: 'BITCOIN', code: 'BTC' },
  { network: 'LITECOIN', code: 'LTC' },
  { network: 'LIGHTNING', code: 'BTCLN' },
  { network: 'ETHEREUM', code: 'ETH' },
  { network: 'ETHEREUM', code: 'USDC' },
  { network: 'ETHEREUM', code: 'USDT' },
  { network: 'STELLAR', code: 'XLM' },
  { network: 'STELLAR', code: 'USDC' },
];

export const usd: Record<Code, string> = {
  BTC: '60000',
  BTCLN: '60000',
  LTC: '80',
  ETH: '3000',
  USDC: '1',
  USDT: '1',
  XLM: '0.1',
  EUR: '1.08',
};

export const scaleOf = (code: Code): number => knownAssets.find((asset) => asset.code === code)?.ledgerScale ?? 0;
export const unitsOf = (amount: string, code: Code): bigint => toUnits(decimal(amount), scaleOf(code), 'down');

/** Lightning shows satoshis. */
export const paidUnits = ({ network, code }: Method, { amount }: { amount: string }): bigint =>
  network === 'LIGHTNING' ? BigInt(amount) : unitsOf(amount, code);

/** Gives the transaction as its node names it. It is in no block yet, but for Stellar, whose ledger is closed. */
export async function payBy(
  gateway: Gateway,
  { network, code }: Method,
  { address, amount, reply }: Committed,
): Promise<string> {
  if (network === 'BITCOIN') return gateway.bitcoin.pay({ address, amount });
  if (network === 'LITECOIN') return gateway.litecoin.pay({ address, amount });
  if (network === 'LIGHTNING') return gateway.lightning.pay({ address });
  if (network === 'STELLAR') {
    const asset = code === 'XLM' ? 'native' : `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;
    const tx = gateway.stellar.pay(reply.depositInstructions.memo, { address, units: unitsOf(amount, code), asset });
    gateway.stellar.close();
    return tx;
  }
  assert.ok(gateway.ethereum, 'this story asked for Ethereum');
  const assetCode = code as 'ETH' | 'USDC' | 'USDT';
  return gateway.ethereum.pay({ address, units: toUnits(decimal(amount), code === 'ETH' ? 18 : 6, 'down'), assetCode });
}
