/** Where a curious customer can look a transaction up. Only a link: the page itself asks no explorer for anything. */
const explorers: Readonly<Record<string, string>> = {
  BITCOIN: 'https://mempool.space/tx/',
  LITECOIN: 'https://litecoinspace.org/tx/',
  ETHEREUM: 'https://etherscan.io/tx/',
  STELLAR: 'https://stellar.expert/explorer/public/tx/',
};

/** Null for networks nobody can look into, and for those of the sandbox, which no explorer knows. */
export function transactionLink(network: string, txHash: string, isSandbox: boolean): string | null {
  const explorer = explorers[network];
  return isSandbox || explorer === undefined ? null : `${explorer}${encodeURIComponent(txHash)}`;
}
