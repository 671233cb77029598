/** How much of a Pix can still go back, and until when. Pure. */
import { day } from './pix-cursor.ts';
import type { PixReturn, ReceivedPix } from './received-pix.ts';

/** So long the interface lets a receiver give back. */
const returnMs = 90 * day;

export const returnableUntil = ({ receivedAt }: Pick<ReceivedPix, 'receivedAt'>): Date =>
  new Date(receivedAt.getTime() + returnMs);

const less = (units: bigint, returns: readonly PixReturn[]): bigint =>
  returns.reduce((left, each) => left - each.units, units);

/** Less what is on its way. */
export const leftToReturn = ({ units, returns }: ReceivedPix): bigint =>
  less(
    units,
    returns.filter(({ status }) => status !== 'NAO_REALIZADO'),
  );

/** Only less what has gone for good: what is on its way may yet fail. */
export const leftForGood = ({ units, returns }: ReceivedPix): bigint =>
  less(
    units,
    returns.filter(({ status }) => status === 'DEVOLVIDO'),
  );
