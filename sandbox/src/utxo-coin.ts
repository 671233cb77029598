/** A coin with a chain in the sandbox, with the addresses of its regtest chain. All is taken from its definition. */
import type { AddressKind, UtxoParameters } from '@quittance/server/networks/families/utxo/utxo-parameters';
import type { NetworkDefinition } from '@quittance/server/networks/port/definition';

export type UtxoCoin = {
  readonly name: string;
  /** The kind of addresses that the wallets in the sandbox have: the faucet's, and those that are paid. */
  readonly addressKind: AddressKind;
  readonly network: {
    readonly bech32: string;
    readonly pubKeyHash: number;
    readonly scriptHash: number;
    readonly wif: number;
  };
  readonly averageBlockSeconds: number;
  /** Units per 1,000 vbytes that its node recommends. */
  readonly feeRate: bigint;
  /** The least that its node relays, and the least by which a replacement pays more. */
  readonly leastRate: bigint;
  /** Below this an output is not relayed. */
  readonly dustUnits: bigint;
  /** What a block makes, for the faucet. */
  readonly subsidyUnits: bigint;
  /** Its node is made from Core 0.14, and some of its answers have the form of that time. */
  readonly isOldNode: boolean;
};

/** Bitcoin's for a p2wpkh output: less than any coin's limit, so that the connector itself must keep to the limit. */
const leastDust = 294n;

export function utxoCoin(
  { id, averageBlockSeconds }: Pick<NetworkDefinition, 'id' | 'averageBlockSeconds'>,
  { addressKind, bech32Prefixes, base58Forms, spendingRules }: UtxoParameters,
): UtxoCoin {
  const { pubKeyHash, scriptHash } = base58Forms.regtest;
  const feeRate = spendingRules.feeRateFallback / 2n;
  return {
    name: id.toLowerCase(),
    addressKind,
    network: { bech32: bech32Prefixes?.regtest ?? 'none', pubKeyHash, scriptHash, wif: 0xef },
    averageBlockSeconds,
    feeRate,
    leastRate: feeRate / 10n,
    dustUnits: spendingRules.outputMin ?? leastDust,
    subsidyUnits: 5_000_000_000n,
    isOldNode: spendingRules.hasOneEstimate === true,
  };
}
