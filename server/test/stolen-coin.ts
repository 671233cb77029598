/** Somebody has a copy of our key and takes a coin from one of our addresses on Bitcoin. */
import assert from 'node:assert/strict';
import { HDKey } from '@scure/bip32';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import type { Gateway } from './gateway.ts';

export type StolenCoin = { txHash: string; index: number; units: bigint; targetIndex: number };

export const aCoinOfOurs = (gateway: Gateway): Promise<StolenCoin> => coinAt(gateway, null);

/** Null: any. */
export async function coinAt(gateway: Gateway, outpoint: string | null): Promise<StolenCoin> {
  const [row] = await gateway.db<{ tx_hash: string; tx_index: string; units: string; index: string }>`
    select tx_hash, tx_index, payment.units, target.index
      from payment join deposit_target target on target.network = payment.network and target.key = payment.target_key
     where payment.network = 'BITCOIN' and (${outpoint}::text is null or tx_hash || ':' || tx_index = ${outpoint})`;
  assert.ok(row);
  const { tx_hash: txHash, units } = row;
  return { txHash, index: Number(row.tx_index), units: BigInt(units), targetIndex: Number(row.index) };
}

/** With our own key, as whoever has copied it would. */
export function stealCoin(gateway: Gateway, { txHash, index, units, targetIndex }: StolenCoin): void {
  const { privateKey, publicKey } = HDKey.fromExtendedKey(String(gateway.env['BITCOIN_XPRV']), {
    private: 0x04358394,
    public: 0x043587cf,
  })
    .deriveChild(0)
    .deriveChild(targetIndex);
  assert.ok(privateKey && publicKey);
  const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
  const transaction = new Transaction();
  transaction.addInput({
    txid: txHash,
    index,
    witnessUtxo: { script: p2wpkh(publicKey, regtest).script, amount: units },
  });
  transaction.addOutputAddress(gateway.bitcoin.chain.faucetAddress, units - 1_000n, regtest);
  transaction.sign(privateKey);
  transaction.finalize();
  gateway.bitcoin.chain.submit(transaction.hex);
}
