/**
 * What the service took on some days, by what for. A statement has one line of fees, rounded once for a day, an asset and a kind
 * of subject: here what fees were for is rounded so that it comes to exactly that, by adding up one after the other and rounding
 * each sum.
 */
import type { Query } from '../db/database.ts';
import type { EntryPosition } from '../ledger/entry-list-store.ts';
import { type EntryMovement, listMovements } from '../ledger/movement-list-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { smaller } from '../money/amount.ts';
import { type Decimal, plus, toUnits, zero } from '../money/decimal.ts';
import { hourOf } from '../pricing/rate-hours.ts';
import { findTransfers } from '../wallets/transfer-store.ts';
import type { FeeDay } from './fee-day-store.ts';
import { type FeeKind, feeKindOf, feeKinds } from './fee-kinds.ts';
import type { ValuedMovements } from './statement-days.ts';
import { both } from './taxes.ts';
import { decimalsOf } from './worth.ts';

type Taken = {
  readonly day: string;
  readonly hour: Date;
  readonly asset: string;
  readonly kind: FeeKind;
  /** The kind of what the entry was about. */
  readonly subject: string;
  readonly units: bigint;
  readonly entries: number;
};

export async function countFeeDays(
  query: Query,
  merchantId: string,
  valued: ValuedMovements,
  spans: readonly DaySpan[],
): Promise<FeeDay[]> {
  const withFee = valued.movements.filter(({ withFee: count }) => count > 0);
  const taken = withFee.map(
    ({ day, hour, asset, kind, subject, fee, withFee: entries }): Taken => ({
      day,
      hour,
      asset,
      kind: feeKindOf(kind),
      subject,
      units: fee,
      entries,
    }),
  );
  const hasTransfers = withFee.some(({ kind }) => kind === 'transfer_sent');
  return feeDaysOf(taken, hasTransfers ? await networkParts(query, merchantId, spans) : [], valued);
}

const transfersAtOnce = 500;

/** What of the fees of transfers is the network's: taken from the one kind and given to the other. */
async function networkParts(query: Query, merchantId: string, spans: readonly DaySpan[]): Promise<Taken[]> {
  const [from, to] = [spans[0]?.from ?? new Date(0), spans.at(-1)?.to ?? new Date(0)];
  const parts: Taken[] = [];
  let after: EntryPosition | null = null;
  do {
    const cut = { from, to, after, limit: transfersAtOnce };
    const moved: readonly EntryMovement[] = await listMovements(
      query,
      merchantId,
      { subjects: ['transfer'], kinds: ['transfer_sent'] },
      cut,
    );
    const sent = moved.filter(({ kind, fee }) => kind === 'transfer_sent' && fee !== 0n);
    const transfers = await findTransfers(
      query,
      merchantId,
      sent.map(({ subject }) => subject.id),
    );
    for (const [at, { postedAt, asset, fee, subject }] of sent.entries()) {
      const units = smaller(transfers[at]?.networkFeeUnits ?? 0n, fee);
      const day = spans.find((span) => postedAt >= span.from && postedAt < span.to)?.day;
      if (units === 0n || day === undefined) continue;
      // A transfer whose whole fee is the network's is none for the transfer itself.
      const own = units === fee ? -1 : 0;
      const about = { day, hour: hourOf(postedAt), asset, subject: subject.kind };
      parts.push({ ...about, kind: 'network', units, entries: 1 });
      parts.push({ ...about, kind: 'transfer', units: -units, entries: own });
    }
    after = moved.at(-1) ?? null;
  } while (after !== null);
  return parts;
}

/** `parts`: what moves from one kind to another, and is nothing in all. */
function feeDaysOf(taken: readonly Taken[], parts: readonly Taken[], { worth, currency }: ValuedMovements): FeeDay[] {
  const lineOf = ({ day, asset, subject }: Taken): string => `${day} ${asset} ${subject}`;
  const wholes = worthOfEach(taken, worth, lineOf);
  const worths = worthOfEach([...taken, ...parts], worth, (each) => `${lineOf(each)} ${each.kind}`);
  const rounded = (value: Decimal): bigint => toUnits(value, decimalsOf(currency), 'half-up');
  const rows = Array.from(wholes, ([name, whole]) => {
    const kinds = feeKinds.flatMap((kind) => worths.get(`${name} ${kind}`) ?? []);
    let [before, told] = [zero, 0n];
    return kinds.map(({ day, asset, kind, units, entries, worth: own }, at): FeeDay => {
      before = own ? plus(before, own) : before;
      // The last one has the rest: what is divided in parts loses its last digit, and the whole is what the statement says.
      const upTo = at === kinds.length - 1 && whole.worth ? whole.worth : before;
      const value = rounded(upTo) - told;
      told += value;
      return { day, asset, kind, units, entries, value: whole.worth && value };
    });
  }).flat();
  return Array.from(
    Map.groupBy(rows, ({ day, asset, kind }) => `${day} ${asset} ${kind}`).values(),
    ([first, ...more]) => more.reduce(bothDays, first as FeeDay),
  ).filter(({ units, value }) => units !== 0n || (value ?? 0n) !== 0n);
}

/** One kind of fee is taken for several kinds of subjects. */
const bothDays = (a: FeeDay, b: FeeDay): FeeDay => ({
  ...a,
  units: a.units + b.units,
  entries: a.entries + b.entries,
  value: both(a.value, b.value),
});

type Worth = Taken & { readonly worth: Decimal | null };

function worthOfEach(
  taken: readonly Taken[],
  worth: ValuedMovements['worth'],
  nameOf: (taken: Taken) => string,
): Map<string, Worth> {
  const sums = new Map<string, Worth>();
  for (const each of taken) {
    const sum = sums.get(nameOf(each)) ?? { ...each, units: 0n, entries: 0, worth: zero };
    const more = worth(each, each.hour);
    sums.set(nameOf(each), {
      ...sum,
      units: sum.units + each.units,
      entries: sum.entries + each.entries,
      worth: more && sum.worth && plus(sum.worth, more),
    });
  }
  return sums;
}
