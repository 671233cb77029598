/**
 * Pix, with the operator's own bank, by the central bank's interface. Every checkout has its own charge, which the bank
 * lets be paid once, as a whole, and not after it has expired. There are no blocks: a minute of the provider's clock
 * takes their place. A payment is confirmed at once, and the payer's bank can take it back for months (MED), so it is
 * final only after 120 days: by then nothing can be contested any more.
 */
import { type Connector, NetworkError } from '../port/connector.ts';
import type { NetworkDefinition } from '../port/definition.ts';
import type { BlockRef, Observed } from '../port/receiving.ts';
import { readBrCode } from './br-code.ts';
import { createFollowReturns } from './follow-returns.ts';
import { mostCentavos, readCentavos } from './pix-amount.ts';
import { createPixApi, type PixAccess } from './pix-api.ts';
import { createCharge, type Receiver } from './pix-charge.ts';
import { minute, overlapMs, readPixCursor } from './pix-cursor.ts';
import { destinationProblem, payerOfPix } from './pix-destination.ts';
import { lookAtPix, reversibleMs } from './pix-look.ts';
import { pixInstructions } from './pix-payer.ts';
import { offeredAs } from './pix-payer-texts.ts';
import { createPixSender } from './pix-sender.ts';
import {
  assetCode,
  type ListedPix,
  minuteOf,
  observationOf,
  type ReceivedPix,
  readPix,
  reversalsOf,
  txidIn,
} from './received-pix.ts';

export type PixSettings = PixAccess & {
  readonly receiver: Receiver;
  /** Between two looks: a bank is not a node of our own. */
  readonly pauseMs: number;
  /** How often the months in which payments can be contested are looked through. */
  readonly againMs: number;
  readonly timeoutMs?: number;
  /** A hint how far behind we are; what was read is counted by the provider's clock. */
  readonly now?: () => Date;
};

export const pix: NetworkDefinition = {
  id: 'PIX',
  name: 'Pix',
  type: 'BANK',
  imageSrc: '/images/networks/pix.svg',
  bridged: true,
  assets: [{ assetCode, paymentCode: assetCode, scale: 2, minimumUnits: 1n }],
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1, // More confirmations are never asked for; what is final, the connector says.
  averageBlockSeconds: 60,
  hasInvoices: true,
  takesOwnCurrencyOnly: true,
  hidesHoldings: true,
  givesBackOnly: true,
  offeredAs,
  payerInstructions: pixInstructions,
};

export function createPixConnector(settings: PixSettings): Connector {
  const api = createPixApi(settings, settings.timeoutMs ?? 30_000);
  const now = settings.now ?? (() => new Date());
  const followReturns = createFollowReturns(api);
  let rested: { readonly at: number; readonly tip: BlockRef } | undefined;

  return {
    network: pix,
    addressProblem: destinationProblem,
    payerOf: payerOfPix,
    ...(settings.returns && { sender: createPixSender(api) }),

    async createTarget(request) {
      if (request.amount.units <= 0n || request.amount.units > mostCentavos)
        throw new NetworkError('Pix has no charge of such an amount.', { isRetryable: false });
      return createCharge(api, settings.receiver, request);
    },

    targetUnits({ address }) {
      return readCentavos(readBrCode(address)?.of.amount) ?? null;
    },

    async observe(stored, context) {
      if (stored !== null && rested && performance.now() - rested.at < settings.pauseMs)
        return observed({ tip: rested.tip, cursor: stored, behind: 0, isCaughtUp: true });
      const { news, again, cursor, at } = await lookAtPix(api, stored && readPixCursor(stored), {
        now: now(),
        againMs: settings.againMs,
      });
      const height = Math.floor(cursor.readTo / minute);
      const tip = { hash: `minute/${height}`, height, time: new Date(height * minute) };

      const listed = new Map([...news, ...again].map((each) => [each.endToEndId, each]));
      const ours = await readOurs([...listed.values()], context.knownTargets);
      const known = await context.knownArrivals(ours.map(({ endToEndId }) => `${endToEndId}:0`));
      const isNew = ({ endToEndId }: ReceivedPix): boolean => !known.has(`${endToEndId}:0`);
      // What was told already is told again only now and then: a look that brings nothing new must look like one. What went
      // back in these minutes is told at once, and the cursor remembers that it was.
      const isAgain = new Set(again.map(({ endToEndId }) => endToEndId));
      const lately = cursor.readTo - overlapMs;
      const reversals = ours.flatMap((each) => reversalsOf(each, height));
      const late = reversals.filter(({ block }) => block.time.getTime() > lately).map(({ reversalId }) => reversalId);
      const untold = new Set(late.filter((id) => !cursor.told.includes(id)));
      const isTold = new Set(ours.filter((each) => isNew(each) || isAgain.has(each.endToEndId)).map(nameOf));
      const behind = Math.max(0, minuteOf(at) - height);
      const isCaughtUp = behind === 0 || cursor.readTo === (stored && readPixCursor(stored).readTo);
      rested = isCaughtUp ? { at: performance.now(), tip } : undefined;
      return {
        ...observed({ tip, cursor: { ...cursor, told: late }, behind, isCaughtUp }),
        observations: ours.filter(isNew).map((each) => observationOf(each, height)),
        reversals: reversals.filter(({ txHash, reversalId }) => isTold.has(txHash) || untold.has(reversalId)),
        // Also where nothing more may be given back: what was asked for before goes on.
        sent: await followReturns(await context.outgoing(), height),
      };
    },
  };
}

const nameOf = ({ endToEndId }: ReceivedPix): string => endToEndId;

type Place = Pick<Observed, 'tip' | 'cursor' | 'isCaughtUp'> & { readonly behind: number };

const observed = ({ tip, cursor, behind, isCaughtUp }: Place): Observed => ({
  observations: [],
  reversals: [],
  vanishedBlocks: [],
  vanishedArrivals: [],
  tip,
  cursor,
  finalHeight: tip.height - reversibleMs / minute,
  isCaughtUp,
  blocksBehind: behind,
});

/** What names a charge of ours, read strictly; the rest is somebody else's. */
async function readOurs(
  listed: readonly ListedPix[],
  knownTargets: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly ReceivedPix[]> {
  const txids = listed.flatMap((each) => txidIn(each) ?? []);
  const ours = await knownTargets([...new Set(txids)]);
  return listed.filter((each) => ours.has(txidIn(each) ?? '')).map(readPix);
}
