/** The network's fee for a payer: the gas for a transfer of ether or of a token, at the price of gas now. */
import type { NetworkFacts } from '../../port/receiving.ts';
import type { EvmHeader } from './evm-block.ts';
import { type GasMarket, gasPriceNow, gwei, plainTransferGas } from './evm-gas.ts';
import { EvmRefusal } from './evm-rpc.ts';

/** Tokens take 45,000 to 65,000: most when the receiver has none of the token yet, as our new addresses. */
const tokenTransferGas = 65_000n;
/** High enough that it never counts: a payer pays whatever the chain asks. */
const noCeiling = 1_000_000n * gwei;
/** Some chains have a block every second or two, but the price of gas does not change so fast. */
const askedAgainSeconds = 12;

type PayerCost = NonNullable<NetworkFacts['payerCost']>;

/** Undefined: the node cannot tell. This is no error, because watching must go on without it. */
export function createPayerCost(
  market: Omit<GasMarket, 'feeCeiling'>,
  coin: string,
  tokens: readonly string[],
): (tip: EvmHeader) => Promise<PayerCost | undefined> {
  let known: { readonly time: number; readonly cost: PayerCost | undefined } | undefined;

  async function ask(): Promise<PayerCost | undefined> {
    try {
      const { expectedPerGas, surchargeOf } = await gasPriceNow({ ...market, feeCeiling: noCeiling });
      const costOf = (kind: 'coin' | 'token', gas: bigint) => {
        const units = gas * expectedPerGas + surchargeOf(kind, gas).expected;
        return { assetCode: coin, units: String(units) };
      };
      const ofTokens = tokens.map((token) => [token, costOf('token', tokenTransferGas)] as const);
      return { ...Object.fromEntries(ofTokens), [coin]: costOf('coin', plainTransferGas) };
    } catch (error) {
      if (error instanceof EvmRefusal) return undefined;
      throw error;
    }
  }

  return async ({ time }) => {
    if (!known || Math.abs(time - known.time) >= askedAgainSeconds) known = { time, cost: await ask() };
    return known.cost;
  };
}
