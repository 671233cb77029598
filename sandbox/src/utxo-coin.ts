/** The two coins whose chain the sandbox plays, with the addresses of their regression-test chains. */
export type CoinName = 'bitcoin' | 'litecoin';

export type UtxoCoin = {
  readonly name: CoinName;
  readonly network: {
    readonly bech32: string;
    readonly pubKeyHash: number;
    readonly scriptHash: number;
    readonly wif: number;
  };
  readonly averageBlockSeconds: number;
};

export const utxoCoins: Readonly<Record<CoinName, UtxoCoin>> = {
  bitcoin: {
    name: 'bitcoin',
    network: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
    averageBlockSeconds: 600,
  },
  litecoin: {
    name: 'litecoin',
    network: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
    averageBlockSeconds: 150,
  },
};
