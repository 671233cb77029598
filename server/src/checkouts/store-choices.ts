/** Customers chose how to pay: under the locks of their checkouts, all choices of a batch become commitments. */
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import { insertDepositTargets } from '../deposits/deposit-target-store.ts';
import type { Remember } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import type { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { DepositTarget } from '../networks/port/receiving.ts';
import { assignPayments } from '../payments/payment-decision-store.ts';
import { openStock, type PromiseDeps, type PromiseWish } from '../venues/promise-stock.ts';
import { savePromises } from '../venues/treasury-promise-store.ts';
import { type Adopted, addCommitment, adoptionNotes, assignmentsOf } from './adopt-payments.ts';
import type { Checkout, CheckoutDossier, Commitment, Quote } from './checkout.ts';
import { cannotCommit, checkoutNotFound, notInStock } from './checkout-errors.ts';
import { factsOf } from './checkout-facts.ts';
import { assertMove, deriveCheckout } from './checkout-state.ts';
import { insertCommitments, lockDossiers, saveCheckouts, saveQuotes } from './checkout-store.ts';
import { hasPlaceLapsed } from './kept-place.ts';
import { windowEnd } from './payment-portions.ts';
import { addToTimelines } from './timeline-store.ts';

export type Choice = {
  readonly merchantId: string;
  readonly checkoutId: string;
  readonly network: string;
  readonly assetId: string | null; // null: whatever the network's default is
  readonly quote: Quote;
  /** All quotes, if new ones had to be made. */
  readonly freshQuotes: readonly Quote[] | null;
  readonly target: DepositTarget & { readonly id: string; readonly index: number };
  /** How long the network gives a payer. */
  readonly windowMs: number;
  /** A commitment of the same method whose invoice asks for another amount than is missing now. */
  readonly outdatedId: string | null;
  readonly at: Date;
  readonly remember: Remember<Committed> | null;
};

export type Committed = { readonly checkout: Checkout; readonly commitment: Commitment };

/** What the treasury cannot promise, or has no place any more, is refused, and only to whoever asked for it. */
export type Chosen = Committed | { readonly refusal: GatewayError };

/** Asked under the locks of the checkouts. By merchant and id why no way to pay can be chosen now. */
export type TakePlaces = (
  tx: Tx,
  checkouts: readonly Checkout[],
  now: Date,
) => Promise<ReadonlyMap<string, GatewayError>>;

export type ChoiceDeps = PromiseDeps & { readonly db: Db; readonly takePlaces: TakePlaces };

export async function storeChoices(deps: ChoiceDeps, choices: readonly Choice[]): Promise<Chosen[]> {
  return deps.db.begin(async (tx) => {
    const found = await lockDossiers(
      tx,
      choices.map(({ merchantId, checkoutId }) => ({ merchantId, id: checkoutId })),
    );
    const before = new Map(found.filter((dossier) => dossier !== undefined).map((each) => [keyOf(each), each]));
    const after = new Map(before);
    const made: Made[] = [];
    const placeless = await deps.takePlaces(
      tx,
      [...before.values()].map(({ checkout }) => checkout),
      present(choices[0], 'choice').at,
    );
    const stock = await openStock(
      deps,
      tx,
      choices.filter(isPromised).map((choice) => wishOf(deps, choice)),
    );

    const results = choices.map((choice): Chosen => {
      const key = `${choice.merchantId}/${choice.checkoutId}`;
      const dossier = after.get(key);
      if (!dossier) return { refusal: checkoutNotFound(choice.checkoutId) }; // Swept away since we first looked.
      const refusal = placeless.get(key);
      if (refusal) return { refusal };
      // Somebody else, most likely the same client twice, may have committed since we first looked.
      const standing = standingCommitment(dossier, choice.network, choice.assetId, choice.at);
      if (standing && standing.id !== choice.outdatedId) return { checkout: dossier.checkout, commitment: standing };
      const next = commitTo(dossier, choice);
      const shortage = isPromised(choice) ? stock.ask(wishOf(deps, choice)) : null;
      if (shortage !== null) return { refusal: notInStock(shortage) };
      const { checkout, commitments } = next.dossier;
      const committed = { checkout, commitment: present(commitments.at(-1), 'new commitment') };
      after.set(key, next.dossier);
      made.push({ ...committed, choice, adopted: next });
      return committed;
    });

    const at = present(choices[0], 'choice').at;
    const changed = [...new Set(made.map(({ checkout }) => `${checkout.merchantId}/${checkout.id}`))];
    await Promise.all([
      insertDepositTargets(tx, made.map(targetOf), at),
      insertCommitments(tx, made),
      savePromises(tx, stock.made(), at),
      ...made.map(({ choice, checkout }) => choice.freshQuotes && saveQuotes(tx, checkout, choice.at)),
      saveCheckouts(
        tx,
        changed.map((key) => ({
          before: present(before.get(key), 'checkout').checkout,
          after: present(after.get(key), 'checkout').checkout,
        })),
        at,
      ),
      assignPayments(
        tx,
        made.flatMap(({ adopted }) => assignmentsOf(adopted)),
      ),
      addToTimelines(tx, made.flatMap(notesOf), at),
      enqueue(tx, made.flatMap(looksAt)),
      ...choices.map(({ remember }, position) => {
        const chosen = present(results[position], 'the outcome of a choice');
        return 'refusal' in chosen ? null : remember?.(tx, chosen);
      }),
    ]);
    return results;
  });
}

const isPromised = ({ quote }: Choice): boolean => quote.isAtBooking !== true;

function wishOf({ assets }: ChoiceDeps, { merchantId, checkoutId, quote }: Choice): PromiseWish {
  const { assetId, grossUnits } = quote.settlement;
  const [paid, credited] = [quote.assetId, assetId].map((id) => present(findAsset(assets, id), `asset ${id}`));
  return {
    merchantId,
    checkoutId,
    units: BigInt(grossUnits),
    paid: present(paid, 'the paid asset'),
    credited: present(credited, 'the credited asset'),
  };
}

/**
 * A client that commits the same method again inside the window gets the same instructions again. But not for a place that
 * is kept no more: it is asked for again, and either there is one, from now on, or the choice is refused.
 */
export function standingCommitment(
  dossier: CheckoutDossier,
  network: string,
  assetId: string | null,
  now: Date,
): Commitment | undefined {
  if (dossier.checkout.state !== 'PENDING' && dossier.checkout.state !== 'PROCESSING') return undefined;
  if (hasPlaceLapsed(dossier, now)) return undefined;
  return dossier.commitments.findLast(
    (commitment) =>
      commitment.network === network &&
      (assetId === null || commitment.asset === assetId) &&
      now < commitment.expiresAt,
  );
}

export const canCommit = ({ state }: Pick<Checkout, 'state'>): boolean =>
  state === 'CREATED' || state === 'PENDING' || state === 'EXPIRED' || state === 'CANCELED';

export function assertCanCommit(checkout: Checkout): void {
  if (!canCommit(checkout)) throw cannotCommit(checkout.state);
}

function commitTo(dossier: CheckoutDossier, { quote, freshQuotes, target, windowMs, at }: Choice): Adopted {
  const { checkout } = dossier;
  assertCanCommit(checkout);
  const committedAt = strictlyAfter(dossier.commitments.at(-1)?.committedAt, at);
  const commitment: Commitment = {
    id: newId(),
    network: quote.network,
    asset: quote.assetId,
    dueUnits: BigInt(quote.dueUnits),
    quote,
    targetKey: target.key,
    address: target.address,
    memo: target.memo,
    memoType: target.memoType,
    committedAt,
    expiresAt: addMs(committedAt, windowMs),
  };
  const adopted = addCommitment(dossier, commitment);
  // Whoever commits revives a cancelled checkout, so it no longer counts as cancelled.
  const facts = { ...factsOf(adopted.dossier), canceledAt: null };
  const { state, exceptions } = deriveCheckout(facts, at);
  assertMove(checkout.state, state);
  const quotes = freshQuotes ?? checkout.quotes;
  const after = { ...checkout, quotes, state, exceptions, windowEndsAt: windowEnd(facts), canceledAt: null };
  return { ...adopted, dossier: { ...adopted.dossier, checkout: after } };
}

/**
 * The latest commitment has the latest time, so two must never have the same time, whatever the machine's clock does.
 */
const strictlyAfter = (earlier: Date | undefined, now: Date): Date =>
  earlier && earlier >= now ? addMs(earlier, 1) : now;

type Made = Committed & { readonly choice: Choice; readonly adopted: Adopted };

const keyOf = ({ checkout }: CheckoutDossier): string => `${checkout.merchantId}/${checkout.id}`;

const targetOf = ({ choice }: Made) => ({
  ...choice.target,
  network: choice.quote.network,
  purpose: 'checkout' as const,
  merchantId: choice.merchantId,
  ownerId: choice.checkoutId,
});

const notesOf = ({ choice: { merchantId, checkoutId, quote }, adopted }: Made) => [
  { merchantId, checkoutId, what: 'committed', why: { network: quote.network, asset: quote.assetId } },
  ...adoptionNotes(adopted),
];

/** Looks at the end of the window, and at once if there is something to look at already. */
const looksAt = ({ choice: { merchantId, checkoutId, at }, commitment, adopted }: Made) =>
  [commitment.expiresAt, ...(adopted.payments.length > 0 ? [at] : [])].map((runAt) => ({
    name: 'checkout.advance' as const,
    payload: { merchantId, checkoutId },
    runAt,
  }));
