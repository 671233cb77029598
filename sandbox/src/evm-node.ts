/**
 * A real EVM in this process (EDR, what Hardhat runs on), on a chain of its own that begins the same way each time: one
 * like Ethereum's, or a rollup built like Optimism, whose transactions pay a fee of the chain below besides their gas.
 */
import {
  type AccountOverride,
  ContractDecoder,
  EdrContext,
  ISTHMUS,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  OP_CHAIN_TYPE,
  opGenesisState,
  opHardforkFromString,
  opProviderFactory,
  PRAGUE,
} from '@nomicfoundation/edr';
import { bytesToHex, type Hex, hexToBytes, toHex, zeroAddress } from 'viem';

export type EvmChainKind = 'ethereum' | 'op-stack';

/** The id of the sandbox's first chain; each further chain has the next number. */
export const firstChainId = 31_337;

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

/** EDR allows only one per process. */
async function openContext(): Promise<EdrContext> {
  const opened = new EdrContext();
  await opened.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  await opened.registerProviderFactory(OP_CHAIN_TYPE, opProviderFactory());
  return opened;
}

const kinds = {
  ethereum: {
    chainType: L1_CHAIN_TYPE,
    hardfork: PRAGUE,
    baseFee: 1_000_000_000n,
    genesis: () => l1GenesisState(l1HardforkFromString(PRAGUE)),
  },
  'op-stack': {
    chainType: OP_CHAIN_TYPE,
    hardfork: ISTHMUS,
    baseFee: 10_000_000n,
    genesis: () => opGenesisState(opHardforkFromString(ISTHMUS)).map(withoutScalars),
  },
};

/** The contract that holds the fees of the chain below. On a real rollup every block's first transaction updates it. */
export const l1BlockContract: Hex = '0x4200000000000000000000000000000000000015';
/** Storage slots of `L1Block`: the base fee, the blob base fee, and the factors for them (scalars, as on Base). */
export const l1BlockSlots = { baseFee: 1n, scalars: 3n, blobBaseFee: 7n, operatorFee: 8n } as const;
const scalars = (2_269n << 96n) | (1_055_762n << 64n);
const gasPriceOracle: Hex = '0x420000000000000000000000000000000000000F';

/** EDR's own scalars are removed: `asRollup` sets them only while a block is made. */
function withoutScalars(account: AccountOverride): AccountOverride {
  if (bytesToHex(account.address) !== l1BlockContract) return account;
  const others = (account.storage ?? []).filter(({ index }) => index !== l1BlockSlots.scalars);
  return { ...account, storage: [...others, { index: l1BlockSlots.scalars, value: 0n }] };
}

/**
 * EDR takes the fee of the chain below also for `eth_call`, and refuses callers who have nothing. No real rollup's node
 * does. So this fee is zero except while a block is made, and when the oracle is asked for it.
 */
function asRollup(node: EvmNode): EvmNode {
  const scalarsSlot = toHex(l1BlockSlots.scalars, { size: 32 });
  const word = (value: bigint): Hex => toHex(value, { size: 32 });
  const setScalars = (value: bigint) =>
    node.call('hardhat_setStorageAt', l1BlockContract, toHex(l1BlockSlots.scalars), word(value));

  async function run(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'evm_mine') {
      await setScalars(scalars);
      try {
        return await node.call(method, ...params);
      } finally {
        await setScalars(0n);
      }
    }
    const [call, block = 'latest'] = params as [{ from?: string; to?: string }?, unknown?];
    if (method !== 'eth_call' || call?.from !== undefined) return node.call(method, ...params);
    const isForOracle = call?.to?.toLowerCase() === gasPriceOracle.toLowerCase();
    return node.call(method, call, block, {
      [zeroAddress]: { balance: toHex(10n ** 24n) },
      ...(isForOracle && { [l1BlockContract]: { stateDiff: { [scalarsSlot]: word(scalars) } } }),
    });
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    /** One call after the other: no other call may run while a block is made and the fee is set. */
    call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      const turn = last.then(
        () => run(method, params),
        () => run(method, params),
      );
      last = turn;
      return turn as Promise<Result>;
    },
  };
}

export async function createEvmNode(
  { kind, chainId }: { readonly kind: EvmChainKind; readonly chainId: number },
  funded: Hex,
  fundedUnits: bigint,
): Promise<EvmNode> {
  const { chainType, hardfork, baseFee, genesis } = kinds[kind];
  context ??= openContext();
  const nothing = () => undefined;
  const provider = await (await context).createProvider(
    chainType,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: new Uint8Array(20).fill(0xc0),
      defaultTransactionGasLimit: 16_000_000n,
      genesisState: [...genesis(), { address: hexToBytes(funded), balance: fundedUnits, nonce: 0n }],
      hardfork,
      initialBaseFeePerGas: baseFee,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: 60_000_000n, memPool: { order: MineOrdering.Priority } },
      network: {
        genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
        genesisBlockGasLimit: 60_000_000n,
        genesisBlockTime: 1_600_000_000n,
      },
      networkId: BigInt(chainId),
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: nothing },
    { subscriptionCallback: nothing },
    new ContractDecoder(),
  );
  let id = 0;

  const node: EvmNode = {
    async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      id += 1;
      const response = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const data: unknown = response.data;
      const reply = (typeof data === 'string' ? JSON.parse(data) : data) as { result?: Result; error?: JsonRpcError };
      if (reply.error) throw new EvmNodeError(reply.error);
      return reply.result as Result;
    },
  };
  return kind === 'op-stack' ? asRollup(node) : node;
}
