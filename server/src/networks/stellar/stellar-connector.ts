/**
 * Stellar: one account for everybody, and a memo that says for which checkout. A closed ledger is final, so nothing
 * ever vanishes, and nothing is seen before it is confirmed.
 */
import { type Connector, NetworkError } from '../port/connector.ts';
import type { NetworkDefinition } from '../port/definition.ts';
import type {
  BlockRef,
  Cursor,
  DepositTarget,
  NetworkFacts,
  Observation,
  Observed,
  Stray,
  UnmatchedArrival,
} from '../port/receiving.ts';
import { referenceOfMuxedId } from './muxed-address.ts';
import { stellarAddressProblem } from './stellar-destination.ts';
import { stellarFates } from './stellar-fate.ts';
import {
  endOfLedger,
  type LedgerTip,
  ledgerOfPlace,
  type StellarArrival,
  type StellarLedgerApi,
} from './stellar-ledger-api.ts';
import { createStellarSender } from './stellar-sender.ts';
import { type StellarWallet, spendableOf } from './stellar-wallet.ts';

type Sendable = NonNullable<NetworkFacts['sendable']>;

export type StellarOptions = {
  readonly api: StellarLedgerApi;
  readonly account: string;
  readonly passphrase: string;
  /** What can be paid with: our asset codes by Stellar's name, `native` or `CODE:ISSUER`. */
  readonly assetCodes: ReadonlyMap<string, string>;
  /** Null: without the key, it only receives. */
  readonly wallet: StellarWallet | null;
};

/** One look reads at most so many pages, so that what was found is stored before more is read. */
const pagesPerRound = 5;
/** A day. No replica of Horizon is that far behind another one, and none keeps less history. */
const ledgersKeptBehind = 17_280;
/** Replicas behind one name are seconds apart. A network that is further back was reset. */
const ledgersApartMax = 1_000;
const memoBytesMax = 28;
/** No id of ours looks like this, so it names no checkout. */
const operatorMemo = 'operator';

export function createStellarConnector(network: NetworkDefinition, options: StellarOptions): Connector {
  const { api, account, assetCodes, wallet } = options;
  const ownAccounts = [account, ...(wallet?.channels ?? []).map(({ accountId }) => accountId)];
  const minimumUnits = new Map(network.assets.map((asset) => [asset.assetCode, asset.minimumUnits]));
  // Also tokens of our own: nobody is asked to pay with them, but they are in the books, and whoever holds one can send
  // it to us. Everything else that arrives is no asset of ours.
  const heldCodes = new Map([
    ...assetCodes,
    ...Array.from(wallet?.assetNames ?? [], ([code, name]) => [name, code] as const),
  ]);
  let isChecked = false;
  let baseReserve: bigint | undefined;
  let sendable: { readonly ledger: number; readonly units: Sendable } | undefined;

  const targetKey = (memo: string): string => `${account}:text:${memo}`;

  /**
   * The assets that cannot come in yet: housekeeping will open their trustlines. If we cannot sign, the operator must.
   */
  async function check(tip: LedgerTip): Promise<string[]> {
    if (tip.passphrase !== options.passphrase)
      throw needsOperator(`Horizon is on "${tip.passphrase}", but "${options.passphrase}" is configured.`);
    const own = await api.account(account);
    if (!own) throw needsOperator(`The account ${account} does not exist: fund it first.`);
    const missing = [...assetCodes].filter(([name]) => name !== 'native' && own.lines.get(name)?.isAuthorized !== true);
    for (const [name] of missing)
      if (!wallet || own.lines.has(name))
        throw needsOperator(
          own.lines.has(name)
            ? `The issuer of ${name} has not authorised the account ${account}: nobody could pay it.`
            : `The account ${account} has no trustline to ${name}: nobody could pay it.`,
        );
    return missing.map(([, code]) => code);
  }

  /** Asked once per ledger. The reserve changes only by a vote of the validators, once in years. */
  async function readSendable({ assetNames }: StellarWallet, tip: LedgerTip): Promise<Sendable> {
    if (sendable?.ledger === tip.sequence) return sendable.units;
    baseReserve ??= (await api.terms()).baseReserve;
    const own = await api.account(account);
    const units = Array.from(assetNames, ([code, name]): [string, string] => {
      const spendable = own ? spendableOf(own, name, baseReserve ?? 0n) : 0n;
      return [code, String(spendable > 0n ? spendable : 0n)];
    });
    sendable = { ledger: tip.sequence, units: Object.fromEntries(units) };
    return sendable.units;
  }

  /**
   * The memo first; the number of a muxed address is the same id, for wallets that have no memos. A wallet that does
   * not know muxed addresses splits one into the account and a memo of type id.
   */
  function keysOf({ memo, muxedId }: StellarArrival): string[] {
    const keys = memo?.type === 'text' ? [targetKey(memo.value)] : [];
    const numbers = [muxedId, memo?.type === 'id' ? memo.value : null];
    const references = numbers.flatMap((number) => (number === null ? [] : (referenceOfMuxedId(number) ?? [])));
    return [...keys, ...references.map(targetKey)];
  }

  /**
   * A token of ours that came from its issuer, or from nobody, is new. The bridge asked for it and books it itself, so
   * it is no payment.
   */
  function isIssue({ asset, sender }: StellarArrival): boolean {
    const issuer = wallet?.issuer?.accountId;
    return issuer !== undefined && asset.endsWith(`:${issuer}`) && (sender ?? issuer) === issuer;
  }

  async function sortArrivals(arrivals: readonly StellarArrival[], known: ReadonlySet<string>) {
    const observations: Observation[] = [];
    const unmatched: UnmatchedArrival[] = [];
    const strays: Stray[] = [];
    for (const arrival of arrivals) {
      const { txHash, index, units, sender, memo } = arrival;
      if (isIssue(arrival)) continue;
      const assetCode = heldCodes.get(arrival.asset);
      const block = blockRef(arrival.ledger, arrival.closedAt);
      const trace = { kind: arrival.kind, ...(arrival.muxedId !== null && { muxedId: arrival.muxedId }) };
      const key = keysOf(arrival).find((each) => known.has(each));
      if (assetCode === undefined) {
        // An asset is its code and its issuer: the same code of another issuer is another asset.
        if (key !== undefined) strays.push({ targetKey: key, txHash, index, what: arrival.asset, units, block });
        continue;
      }
      const facts = { txHash, index, assetCode, units, block, trace };
      if (key !== undefined) observations.push({ ...facts, targetKey: key });
      else unmatched.push({ ...facts, sender, memo: memo && `${memo.type}:${memo.value}` });
    }
    return { observations, unmatched, strays };
  }

  /** A count is valid only for the ledger up to which the books know everything; otherwise it is thrown away. */
  async function assertNothingHappened(to: string, afterLedger: number, untilLedger: number): Promise<void> {
    const { lastLedger } = await api.incoming(to, endOfLedger(afterLedger), untilLedger);
    if (lastLedger !== null)
      throw new NetworkError('Something happened to the account while we counted: count again.', { isRetryable: true });
  }

  return {
    network,
    addressProblem: (destination) => stellarAddressProblem(destination, ownAccounts),
    ...(wallet && {
      sender: createStellarSender(wallet, minimumUnits),
      exchangeAccount: account,
      wallet: { key: targetKey(operatorMemo), address: account, memo: operatorMemo, memoType: 'text' },
    }),

    async holdings({ tip }) {
      const own = await api.account(account);
      // Ledgers close all the time; it matters only whether something happened to the account in one of them.
      const until = own?.asOfLedger ?? (await api.tip()).sequence;
      await assertNothingHappened(account, tip.height, until);
      return Array.from(heldCodes, ([name, assetCode]) => ({
        assetCode,
        what: name,
        units: (name === 'native' ? own?.lumens : own?.lines.get(name)?.spendable) ?? 0n,
      }));
    },

    ...(wallet?.issuer && {
      async supply({ tip, assetCodes: codes }) {
        const issuer = wallet.issuer?.accountId ?? '';
        if (!(await api.account(issuer))) return codes.map((assetCode) => ({ assetCode, units: 0n }));
        const found = [];
        let until = tip.height;
        for (const assetCode of codes) {
          const { units, asOfLedger } = await api.supply(`${assetCode}:${issuer}`);
          until = Math.max(until, asOfLedger ?? (await api.tip()).sequence);
          found.push({ assetCode, units });
        }
        await assertNothingHappened(issuer, tip.height, until);
        return found;
      },
    }),

    async createTarget({ reference }): Promise<DepositTarget> {
      if (Buffer.byteLength(reference) > memoBytesMax) throw new Error(`${reference} is too long for a memo`);
      return { key: targetKey(reference), address: account, memo: reference, memoType: 'text' };
    },

    async observe(stored, context): Promise<Observed> {
      const tip = await api.tip();
      const missing = isChecked ? [] : await check(tip);
      isChecked = missing.length === 0;
      const facts: NetworkFacts = {
        ...(missing.length > 0 && { receivable: Object.fromEntries(missing.map((code) => [code, '0'])) }),
        ...(wallet && { sendable: await readSendable(wallet, tip) }),
      };
      let after = stored ? readPlace(stored) : endOfLedger(tip.sequence);
      assertNotBegunAnew(after, tip);
      const observations: Observation[] = [];
      const unmatched: UnmatchedArrival[] = [];
      const strays: Stray[] = [];
      let isCaughtUp = false;
      let lastLedger = ledgerOfPlace(after);
      for (let pages = 0; pages < pagesPerRound && !isCaughtUp; pages += 1) {
        const page = await api.incoming(account, after, tip.sequence);
        const keys = new Set(page.arrivals.flatMap(keysOf));
        const found = await sortArrivals(page.arrivals, await context.knownTargets([...keys]));
        observations.push(...found.observations);
        unmatched.push(...found.unmatched);
        strays.push(...found.strays);
        after = page.next;
        lastLedger = page.lastLedger ?? lastLedger;
        isCaughtUp = page.isLast;
        if (page.lastLedger === null) break;
      }
      const height = isCaughtUp ? tip.sequence : Math.min(lastLedger, tip.sequence);
      const cursor = isCaughtUp ? laterPlace(after, endOfLedger(Math.max(0, tip.sequence - ledgersKeptBehind))) : after;
      const sent = await stellarFates(api, await context.outgoing(), tip, blockRef);
      return {
        observations,
        unmatched,
        strays,
        sent,
        facts,
        vanishedBlocks: [],
        vanishedArrivals: [],
        tip: blockRef(height, tip.closedAt),
        cursor: { after: cursor },
        isCaughtUp,
        blocksBehind: tip.networkSequence - height,
      };
    },
  };
}

/** A ledger never vanishes, so its number names it as well as its hash, and Horizon gives the number everywhere. */
const blockRef = (sequence: number, time: Date): BlockRef => ({ hash: String(sequence), height: sequence, time });

const laterPlace = (a: string, b: string): string => (BigInt(a) > BigInt(b) ? a : b);

const needsOperator = (message: string): NetworkError => new NetworkError(message, { isRetryable: false });

function readPlace(stored: Cursor): string {
  const { after } = stored;
  if (typeof after !== 'string' || !/^\d+$/.test(after))
    throw needsOperator('The stored cursor was not made by this connector.');
  return after;
}

/** Ledgers are final, so a cursor can simply go back: what is read again is known already. */
export function rewindStellarCursor(stored: Cursor, ledgers: number): { cursor: Cursor; firstBlock: number } {
  const before = Math.max(0, ledgerOfPlace(readPlace(stored)) - ledgers);
  return { cursor: { after: endOfLedger(before) }, firstBlock: before + 1 };
}

function assertNotBegunAnew(after: string, tip: LedgerTip): void {
  const ahead = ledgerOfPlace(after) - tip.sequence;
  if (ahead > ledgersApartMax)
    throw needsOperator(
      `We have read ledger ${ledgerOfPlace(after)}, but the network is at ${tip.sequence}: it was reset.`,
    );
}
