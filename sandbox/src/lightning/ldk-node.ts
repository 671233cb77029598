/**
 * A real Lightning node in this process: LDK's channel manager and what it needs, with a fixed fee rate and no gossip.
 * The owner of the node gets events as they come. What must be stored is given on request, all of it together: a
 * manager that is older than the monitor of one of its channels would close that channel.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as ldk from 'lightningdevkit';
import { NodeLDKNet } from 'lightningdevkit-node-net';
import { toHex } from './ldk-invoice.ts';

export type LdkNode = {
  readonly id: Uint8Array;
  readonly channels: ldk.ChannelManager;
  readonly peers: ldk.PeerManager;
  readonly net: NodeLDKNet;
  /** Our side of all channels, including what must stay in them. */
  heldSat(): bigint;
  /** The block up to which it knows the chain: later ones must be connected one by one. */
  readonly knownHeight: number;
  connectBlock(raw: Uint8Array, height: number): void;
  state(): LdkNodeState;
  /** Lets the node do its work: LDK has no thread of its own. */
  pump(): void;
};

/** In LDK's own format. */
export type LdkNodeState = { readonly manager: Uint8Array; readonly monitors: readonly Uint8Array[] };

export type LdkNodeOptions = {
  readonly seed: Uint8Array;
  /** The state that was stored last. Left out: a node without channels, which begins at the best block. */
  readonly state?: LdkNodeState | undefined;
  readonly bestBlock: { readonly hash: string; readonly height: number };
  readonly broadcast: (rawHex: string) => void;
  readonly onEvent: (event: ldk.Event) => void;
};

/** How many parts of payments each end of a channel accepts at once: what LDK does by itself. */
export const slotsOfChannel = 50;

/** The least that LDK accepts: blocks of a sandbox are never full. */
const satPerKiloWeight = 253;

let wasm: Promise<void> | undefined;
export function loadLdk(): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('lightningdevkit')).replace(/index\.mjs$/, 'liblightningjs.wasm');
  return (wasm ??= readFile(program).then((binary) => ldk.initializeWasmFromBinary(binary)));
}

export function createLdkNode({ seed, state, bestBlock, broadcast, onEvent }: LdkNodeOptions): LdkNode {
  const now = Date.now();
  const seconds = Math.floor(now / 1000);
  const network = ldk.Network.LDKNetwork_Regtest;
  const fees = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => satPerKiloWeight });
  const broadcaster = ldk.BroadcasterInterface.new_impl({
    broadcast_transactions(transactions) {
      for (const transaction of transactions) broadcast(Buffer.from(transaction).toString('hex'));
    },
  });
  const logger = ldk.Logger.new_impl({ log: () => undefined });
  const done = ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed;
  const monitorStates = new Map<string, Uint8Array>();
  const remember = (outpoint: ldk.OutPoint, channel: ldk.ChannelMonitor): ldk.ChannelMonitorUpdateStatus => {
    monitorStates.set(nameOf(outpoint), channel.write());
    return done;
  };
  const memory = ldk.Persist.new_impl({
    persist_new_channel: remember,
    update_persisted_channel: (outpoint, _, channel) => remember(outpoint, channel),
    archive_persisted_channel: (outpoint) => void monitorStates.delete(nameOf(outpoint)),
  });
  const noFilter = ldk.Option_FilterZ.constructor_none();
  const monitor = ldk.ChainMonitor.constructor_new(noFilter, broadcaster, logger, fees, memory);
  // The time makes channel keys differ between starts; the node's identity and its invoices come only from the seed.
  const keys = ldk.KeysManager.constructor_new(seed, BigInt(seconds), (now % 1000) * 1_000_000);
  const entropy = keys.as_EntropySource();

  const graph = ldk.NetworkGraph.constructor_new(network, logger);
  const decay = ldk.ProbabilisticScoringDecayParameters.constructor_default();
  const scorer = ldk.ProbabilisticScorer.constructor_new(decay, graph, logger);
  const score = ldk.MultiThreadedLockableScore.constructor_new(scorer.as_Score());
  const scoring = ldk.ProbabilisticScoringFeeParameters.constructor_default();
  const router = ldk.DefaultRouter.constructor_new(graph, logger, entropy, score.as_LockableScore(), scoring);
  const messages = ldk.DefaultMessageRouter.constructor_new(graph, entropy);

  const signer = keys.as_SignerProvider();
  function createManager(): ldk.ChannelManager {
    const best = ldk.BestBlock.constructor_new(Buffer.from(bestBlock.hash, 'hex').reverse(), bestBlock.height);
    return ldk.ChannelManager.constructor_new(
      fees,
      monitor.as_Watch(),
      broadcaster,
      router.as_Router(),
      messages.as_MessageRouter(),
      logger,
      entropy,
      keys.as_NodeSigner(),
      signer,
      sandboxConfig(),
      ldk.ChainParameters.constructor_new(network, best),
      seconds,
    );
  }
  function readManager(kept: LdkNodeState, monitors: ldk.ChannelMonitor[]): ldk.ChannelManager {
    const read = ldk.UtilMethods.constructor_C2Tuple_ThirtyTwoBytesChannelManagerZ_read(
      kept.manager,
      entropy,
      keys.as_NodeSigner(),
      signer,
      fees,
      monitor.as_Watch(),
      broadcaster,
      router.as_Router(),
      messages.as_MessageRouter(),
      logger,
      sandboxConfig(),
      monitors,
    );
    if (!(read instanceof ldk.Result_C2Tuple_ThirtyTwoBytesChannelManagerZDecodeErrorZ_OK))
      throw new Error('What was kept of a Lightning node cannot be read.');
    return read.res.get_b();
  }
  const monitors = (state?.monitors ?? []).map((bytes) => readMonitor(bytes, entropy, signer));
  const channels = state ? readManager(state, monitors) : createManager();
  for (const each of monitors) monitor.as_Watch().watch_channel(each.get_funding_txo().get_a(), each);
  let managerHeight = channels.current_best_block().get_height();
  // A monitor is not stored at every block, so it may know fewer blocks than the manager.
  let monitorHeight = Math.min(managerHeight, ...monitors.map((each) => each.current_best_block().get_height()));
  const ignore = ldk.IgnoringMessageHandler.constructor_new();
  const peers = ldk.PeerManager.constructor_new(
    channels.as_ChannelMessageHandler(),
    ignore.as_RoutingMessageHandler(),
    ignore.as_OnionMessageHandler(),
    ignore.as_CustomMessageHandler(),
    seconds,
    entropy.get_secure_random_bytes(),
    logger,
    keys.as_NodeSigner(),
  );
  const handler = ldk.EventHandler.new_impl({
    handle_event(event) {
      onEvent(event);
      return ldk.Result_NoneReplayEventZ.constructor_ok();
    },
  });

  return {
    id: channels.get_our_node_id(),
    channels,
    peers,
    net: new NodeLDKNet(peers),
    heldSat() {
      const balances = monitor.get_claimable_balances([]);
      return balances.reduce((sum, balance) => {
        if (!(balance instanceof ldk.Balance_ClaimableOnChannelClose)) return sum;
        return sum + balance.amount_satoshis + balance.transaction_fee_satoshis;
      }, 0n);
    },
    get knownHeight() {
      return Math.min(managerHeight, monitorHeight);
    },
    connectBlock(raw, height) {
      if (height > managerHeight) channels.as_Listen().block_connected(raw, height);
      if (height > monitorHeight) monitor.as_Listen().block_connected(raw, height);
      managerHeight = Math.max(managerHeight, height);
      monitorHeight = Math.max(monitorHeight, height);
    },
    state: () => ({ manager: channels.write(), monitors: [...monitorStates.values()] }),
    pump() {
      channels.process_pending_htlc_forwards();
      peers.process_events();
      channels.as_EventsProvider().process_pending_events(handler);
      monitor.as_EventsProvider().process_pending_events(handler);
    },
  };
}

const nameOf = (outpoint: ldk.OutPoint): string => `${toHex(outpoint.get_txid())}:${outpoint.get_index()}`;

function readMonitor(bytes: Uint8Array, entropy: ldk.EntropySource, signer: ldk.SignerProvider): ldk.ChannelMonitor {
  const read = ldk.UtilMethods.constructor_C2Tuple_ThirtyTwoBytesChannelMonitorZ_read(bytes, entropy, signer);
  if (!(read instanceof ldk.Result_C2Tuple_ThirtyTwoBytesChannelMonitorZDecodeErrorZ_OK))
    throw new Error('What was kept of a Lightning channel cannot be read.');
  return read.res.get_b();
}

/** LDK's defaults protect against strangers. Here both ends are ours, and every amount must get through. */
function sandboxConfig(): ldk.UserConfig {
  const config = ldk.UserConfig.constructor_default();
  const handshake = ldk.ChannelHandshakeConfig.constructor_default();
  handshake.set_max_inbound_htlc_value_in_flight_percent_of_channel(100);
  handshake.set_our_max_accepted_htlcs(slotsOfChannel);
  handshake.set_minimum_depth(1);
  config.set_channel_handshake_config(handshake);
  const limits = ldk.ChannelHandshakeLimits.constructor_default();
  limits.set_max_funding_satoshis(10n ** 12n);
  config.set_channel_handshake_limits(limits);
  const channel = ldk.ChannelConfig.constructor_default();
  // A payment below the dust limit has no output of its own in the commitment; many of them are a risk, but not here.
  channel.set_max_dust_htlc_exposure(ldk.MaxDustHTLCExposure.constructor_fixed_limit_msat(10n ** 12n));
  config.set_channel_config(channel);
  config.set_accept_forwards_to_priv_channels(true);
  return config;
}
