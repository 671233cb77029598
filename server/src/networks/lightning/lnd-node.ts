/** What an LND says about itself: who it is, on which chain, and how much its channels can bring in and take out. */
import { divideUnits } from '../../money/decimal.ts';
import { NetworkError } from '../port/connector.ts';
import type { NetworkSlots } from '../port/sending.ts';
import type { Bolt11Chain } from './bolt11.ts';
import type { LndRest } from './lnd-rest.ts';

export type NodeInfo = {
  readonly identity_pubkey: string;
  readonly alias?: string;
  readonly synced_to_chain: boolean;
  readonly chains?: readonly { readonly network: string }[];
};

export type Capacity = {
  /** In satoshis. */
  readonly receivable: bigint;
  readonly sendable: bigint;
  readonly slots: NetworkSlots;
};

export type LndNode = {
  info(): Promise<NodeInfo>;
  capacity(info: NodeInfo): Promise<Capacity>;
  /** Our side of all channels, in whole satoshis, less our fraction, whether their peers are online or not. */
  heldWithout(fractionMsat: bigint): Promise<bigint>;
};

/** `local_constraints`: what binds us. The peer says how many parts of payments it accepts from us at once. */
type Channel = {
  readonly local_balance: string;
  readonly remote_balance: string;
  readonly local_constraints?: { readonly chan_reserve_sat: string; readonly max_accepted_htlcs?: number };
  readonly remote_constraints?: { readonly chan_reserve_sat: string };
  readonly pending_htlcs?: readonly { readonly incoming: boolean }[];
};

/** Of a channel that does not say: as few as a small node accepts. */
const slotsUnsaid = 30;

export function createLndNode(lnd: LndRest, configured: Bolt11Chain): LndNode {
  return {
    async info() {
      const info = await lnd.get<NodeInfo>('/v1/getinfo');
      const network = info.chains?.[0]?.network ?? 'mainnet';
      const chain = network === 'mainnet' ? 'main' : network === 'regtest' ? 'regtest' : 'test'; // testnet, signet
      if (chain !== configured) {
        throw new NetworkError(`The Lightning node is on ${network}, but ${configured} is configured.`, {
          isRetryable: false,
        });
      }
      return info;
    },

    async heldWithout(fractionMsat) {
      type Balance = { local_balance?: { sat?: string; msat?: string } };
      const { sat = '0', msat } = (await lnd.get<Balance>('/v1/balance/channels')).local_balance ?? {};
      return msat === undefined ? BigInt(sat) : divideUnits(BigInt(msat) - fractionMsat, 1_000n, 'down');
    },

    /**
     * What could come in and go out now: a payment may be split over all channels whose peer is online. Nothing goes out
     * by a channel whose slots are all taken.
     */
    async capacity(info) {
      const { channels = [] } = await lnd.get<{ channels?: readonly Channel[] }>('/v1/channels?active_only=true');
      let receivable = 0n;
      let sendable = 0n;
      for (const channel of channels) {
        receivable += spendable(channel.remote_balance, channel.remote_constraints);
        if (freeSlots(channel) > 0) sendable += spendable(channel.local_balance, channel.local_constraints);
      }
      const slots = slotsOf(channels);
      // A node that does not know the newest blocks must not take part in payments.
      return info.synced_to_chain
        ? { receivable, sendable, slots }
        : { receivable: 0n, sendable: 0n, slots: { total: 0, free: 0 } };
    },
  };
}

const slotsIn = ({ local_constraints: ours }: Channel): number => ours?.max_accepted_htlcs ?? slotsUnsaid;

/** Others may send through our node too: what of theirs is on its way takes slots like ours. */
const freeSlots = (channel: Channel): number =>
  slotsIn(channel) - (channel.pending_htlcs ?? []).filter(({ incoming }) => !incoming).length;

/**
 * Those of the channel by which most can be sent now. The node chooses the channels, so this is the one that must not become
 * full. Not the fewest of all channels: a stranger who opens one with a single slot would stop everything. Not the sum:
 * small payments could fill the one channel by which everybody's large ones go.
 */
export function slotsOf(channels: readonly Channel[]): NetworkSlots {
  let widest = { units: 0n, total: 0, free: 0 };
  for (const channel of channels) {
    const [units, free] = [spendable(channel.local_balance, channel.local_constraints), freeSlots(channel)];
    if (free <= 0 || units < widest.units || (units === widest.units && free <= widest.free)) continue;
    widest = { units, total: slotsIn(channel), free };
  }
  return { total: widest.total, free: widest.free };
}

/** A side of a channel must keep its reserve. */
function spendable(balance: string, constraints: { chan_reserve_sat: string } | undefined): bigint {
  const free = BigInt(balance) - BigInt(constraints?.chan_reserve_sat ?? '0');
  return free > 0n ? free : 0n;
}
