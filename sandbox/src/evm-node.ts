/** A real EVM in this process (EDR, what Hardhat runs on), on a chain of its own that begins the same way each time. */
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  PRAGUE,
} from '@nomicfoundation/edr';
import { type Hex, hexToBytes } from 'viem';

export const sandboxChainId = 31_337;

export type JsonRpcError = { readonly code: number; readonly message: string };

export class EvmNodeError extends Error {
  readonly code: number;
  constructor({ code, message }: JsonRpcError) {
    super(message);
    this.code = code;
  }
}

export type EvmNode = { call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> };

let context: Promise<EdrContext> | undefined;

/** There may be one per process. */
async function openContext(): Promise<EdrContext> {
  const opened = new EdrContext();
  await opened.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return opened;
}

export async function createEvmNode(funded: Hex, fundedUnits: bigint): Promise<EvmNode> {
  context ??= openContext();
  const nothing = () => undefined;
  const provider = await (await context).createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(sandboxChainId),
      coinbase: new Uint8Array(20).fill(0xc0),
      defaultTransactionGasLimit: 16_000_000n,
      genesisState: [
        ...l1GenesisState(l1HardforkFromString(PRAGUE)),
        { address: hexToBytes(funded), balance: fundedUnits, nonce: 0n },
      ],
      hardfork: PRAGUE,
      initialBaseFeePerGas: 1_000_000_000n,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: 60_000_000n, memPool: { order: MineOrdering.Priority } },
      network: {
        genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
        genesisBlockGasLimit: 60_000_000n,
        genesisBlockTime: 1_600_000_000n,
      },
      networkId: BigInt(sandboxChainId),
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: nothing },
    { subscriptionCallback: nothing },
    new ContractDecoder(),
  );
  let id = 0;

  return {
    async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      id += 1;
      const response = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const data: unknown = response.data;
      const reply = (typeof data === 'string' ? JSON.parse(data) : data) as { result?: Result; error?: JsonRpcError };
      if (reply.error) throw new EvmNodeError(reply.error);
      return reply.result as Result;
    },
  };
}
