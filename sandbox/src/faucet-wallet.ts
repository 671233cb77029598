/** The payer in every sandbox story: signs real payments from coins that a chain has given it. */
import { createHash } from 'node:crypto';
import { vsizeOf } from '@quittance/server/networks/families/utxo/utxo-transaction-size';
import { hex } from '@scure/base';
import { p2pkh, p2wpkh, Transaction } from '@scure/btc-signer';
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

/** Where somebody with this key is paid on a chain of the coin. */
export function walletOf(privateKey: Uint8Array, coin: UtxoCoin): { address: string; script: Uint8Array } {
  const payTo = coin.addressKind === 'p2pkh' ? p2pkh : p2wpkh;
  const { address, script } = payTo(pubECDSA(privateKey), coin.network);
  return { address, script };
}

export function createFaucetWallet(coin: UtxoCoin): FaucetWallet {
  // The same key in every sandbox: its coins are worth nothing, and a restart finds them again.
  const privateKey = createHash('sha256').update(`quittance sandbox faucet ${coin.name}`).digest();
  const { address, script } = walletOf(privateKey, coin);
  return {
    address,
    script: hex.encode(script),
    feeFor(coins, payments) {
      const lengths = Array<number>(payments + 1).fill(script.length);
      return (BigInt(vsizeOf(coin.addressKind, coins, lengths)) * coin.feeRate) / 1_000n;
    },
    sign(coins, payments, fee) {
      const tx = new Transaction({ allowLegacyWitnessUtxo: true });
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
      if (change > 1_000n && change >= coin.dustUnits) tx.addOutputAddress(address, change, coin.network);
      tx.sign(privateKey);
      tx.finalize();
      return { hex: tx.hex, txid: tx.id };
    },
  };
}

const sum = (parts: readonly { units: bigint }[]): bigint => parts.reduce((total, { units }) => total + units, 0n);
