/** The payer in every sandbox story: signs real payments from coins that a chain has given it. */
import { createHash } from 'node:crypto';
import { hex } from '@scure/base';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import type { UtxoCoin } from './utxo-coin.ts';

export type FaucetCoin = { readonly outpoint: string; readonly units: bigint };
export type Payment = { readonly address: string; readonly units: bigint };
export type SignedPayment = { readonly hex: string; readonly txid: string };

export type FaucetWallet = {
  readonly address: string;
  readonly script: string;
  feeFor(coins: number, payments: number): bigint;
  /** Spends the coins whole; what is left after payments and fee comes back as the last output. Signals BIP125. */
  sign(coins: readonly FaucetCoin[], payments: readonly Payment[], fee: bigint): SignedPayment;
};

export function createFaucetWallet(coin: UtxoCoin): FaucetWallet {
  // The same key in every sandbox: its coins are worth nothing, and a restart finds them again.
  const privateKey = createHash('sha256').update(`quittance sandbox faucet ${coin.name}`).digest();
  const { address, script } = p2wpkh(pubECDSA(privateKey), coin.network);
  if (address === undefined) throw new Error('the faucet has no address');
  return {
    address,
    script: hex.encode(script),
    feeFor: (coins, payments) => 10n * BigInt(11 + 68 * coins + 31 * (payments + 1)),
    sign(coins, payments, fee) {
      const tx = new Transaction();
      for (const { outpoint, units } of coins) {
        const [txid, index] = outpoint.split(':');
        tx.addInput({
          txid: txid as string,
          index: Number(index),
          sequence: 0xfffffffd,
          witnessUtxo: { script, amount: units },
        });
      }
      for (const payment of payments) tx.addOutputAddress(payment.address, payment.units, coin.network);
      const change = sum(coins) - sum(payments) - fee;
      if (change < 0n) throw new Error('the coins do not cover the payments and the fee');
      if (change > 1_000n) tx.addOutputAddress(address, change, coin.network);
      tx.sign(privateKey);
      tx.finalize();
      return { hex: tx.hex, txid: tx.id };
    },
  };
}

const sum = (parts: readonly { units: bigint }[]): bigint => parts.reduce((total, { units }) => total + units, 0n);
