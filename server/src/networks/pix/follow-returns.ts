/**
 * What became of the returns that we asked for. Only what the bank itself says decides: that it has gone, that it did not
 * happen, or what makes it impossible for ever. Everything else is uncertain, and is asked for again.
 */
import { NetworkError } from '../port/connector.ts';
import type { OutgoingTransaction, SentUpdate } from '../port/sending.ts';
import type { PixApi } from './pix-api.ts';
import { day } from './pix-cursor.ts';
import { findPix, findReturn } from './pix-questions.ts';
import { demandAsOrdered, inReais, type PixReturnOrder, readOrder } from './pix-return-order.ts';
import { noFee } from './pix-sender.ts';
import { blockAt, type PixReturn, type ReceivedPix } from './received-pix.ts';
import { leftForGood, returnableUntil } from './returnable-pix.ts';

/** Nothing is on its way to the bank for so long. */
const lateMs = day;
/** One look is bounded; the others are asked for in the next. */
const askedMax = 50;

export type FollowReturns = (open: readonly OutgoingTransaction[], newest: number) => Promise<readonly SentUpdate[]>;

export function createFollowReturns(api: PixApi): FollowReturns {
  let lastAsked = '';
  return async (open, newest) => {
    const waiting = open.filter(({ block }) => block === null).toSorted((a, b) => (a.txHash < b.txHash ? -1 : 1));
    const next = [
      ...waiting.filter(({ txHash }) => txHash > lastAsked),
      ...waiting.filter(({ txHash }) => txHash <= lastAsked),
    ];
    const updates: SentUpdate[] = [];
    for (const { txHash, raw } of next.slice(0, askedMax)) {
      lastAsked = txHash;
      const fate = await fateOf(api, readOrder(raw), newest);
      if (fate) updates.push({ txHash, fee: noFee, ...fate });
    }
    return updates;
  };
}

type Fate = Pick<SentUpdate, 'outcome' | 'block' | 'reason' | 'happenedAs'>;

/** Null: nobody knows yet. */
async function fateOf(api: PixApi, order: PixReturnOrder, newest: number): Promise<Fate | null> {
  const asked = await orNothing(async () => {
    const found = await findReturn(api, order);
    return found ? { found } : await findPix(api, order.endToEndId);
  });
  if (!asked) return null;
  if ('found' in asked) return fateOfReturn(demandAsOrdered(order, asked.found), newest);
  const listed = asked.pix.returns.find(({ id }) => id === order.id);
  return listed ? fateOfReturn(demandAsOrdered(order, listed), newest) : whyNever(order, asked.pix, asked.at);
}

function fateOfReturn({ status, returnId, at, note }: PixReturn, newest: number): Fate | null {
  if (status === 'EM_PROCESSAMENTO') return null;
  if (status === 'DEVOLVIDO')
    return { outcome: 'included', block: blockAt(returnId, at, newest), happenedAs: returnId };
  return { outcome: 'failed', block: null, reason: `The bank did not give it back: ${note ?? 'it does not say why'}.` };
}

/** What the bank does not know, and will refuse whenever it hears of it. */
function whyNever({ units }: PixReturnOrder, pix: ReceivedPix, at: Date): Fate | null {
  const left = leftForGood(pix);
  const isOver = at.getTime() > returnableUntil(pix).getTime() + lateMs;
  if (left >= units && !isOver) return null;
  const reason = isOver
    ? 'It was paid more than 90 days ago, and after that nothing goes back over Pix.'
    : `Of this payment ${inReais(left)} are left at the bank to go back.`;
  return { outcome: 'failed', block: null, reason };
}

/** A bank that does not answer this must not keep payments from being read. */
async function orNothing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NetworkError) return null;
    throw error;
  }
}
