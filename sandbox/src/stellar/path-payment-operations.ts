/** Payments that change the asset on the way by offers on the book. Either what arrives or what is sent is exact. */
import { type OperationRecord, StrKey, xdr } from '@stellar/stellar-sdk';
import { type Crossed, crossOffers, type Trade } from './cross-offers.ts';
import { assetKey, assetOf, formatStroops, int64Max, type LedgerEntries, toStroops } from './ledger-entries.ts';
import { type Applied, assetFields, type OperationContext } from './operation-context.ts';
import { OperationFailure } from './operation-outcome.ts';
import { accountOf, credit, debit, muxedFields } from './payment-operations.ts';

type Operation<Type extends OperationRecord['type']> = Extract<OperationRecord, { type: Type }>;

export const publicKeyXdr = (account: string): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(account));

export const claimAtoms = (trades: readonly Trade[]): xdr.ClaimAtom[] =>
  trades.map(({ offer, sold, bought }) =>
    xdr.ClaimAtom.claimAtomTypeOrderBook(
      new xdr.ClaimOfferAtom({
        sellerId: publicKeyXdr(offer.seller),
        offerId: offer.id,
        assetSold: assetOf(offer.selling).toXdrObject(),
        amountSold: sold,
        assetBought: assetOf(offer.buying).toXdrObject(),
        amountBought: bought,
      }),
    ),
  );

/** The steps of a path, from each asset to the next. Two equal assets in a row are no step. */
export function hopsOf(path: readonly string[]): (readonly [gives: string, takes: string])[] {
  return path.slice(1).flatMap((takes, at) => (path[at] === takes ? [] : [[path[at] as string, takes] as const]));
}

function assertCrossed(crossed: Crossed, isEnough: boolean): void {
  if (crossed.hasMetOwnOffer) throw new OperationFailure('OfferCrossSelf');
  if (!isEnough) throw new OperationFailure('TooFewOffers');
}

/** What must be sent so that exactly `units` arrive: from the last step back to the first. */
export function convertToReceive(entries: LedgerEntries, taker: string, path: readonly string[], units: bigint) {
  let needed = units;
  const trades: Trade[] = [];
  for (const [gives, takes] of hopsOf(path).reverse()) {
    const order = {
      taker,
      gives,
      takes,
      givesAtMost: int64Max,
      takesAtMost: needed,
      rounding: 'strictReceive' as const,
    };
    const crossed = crossOffers(entries, order);
    assertCrossed(crossed, crossed.taken === needed);
    trades.unshift(...crossed.trades);
    needed = crossed.given;
  }
  return { sent: needed, trades };
}

/** What arrives when exactly `units` are sent. */
export function convertToSend(entries: LedgerEntries, taker: string, path: readonly string[], units: bigint) {
  let carried = units;
  const trades: Trade[] = [];
  for (const [gives, takes] of hopsOf(path)) {
    const order = { taker, gives, takes, givesAtMost: carried, takesAtMost: int64Max, rounding: 'strictSend' as const };
    const crossed = crossOffers(entries, order);
    assertCrossed(crossed, crossed.given === carried);
    trades.push(...crossed.trades);
    carried = crossed.taken;
  }
  return { received: carried, trades };
}

function applied(
  to: string,
  asset: string,
  units: bigint,
  trades: readonly Trade[],
  fields: Record<string, unknown>,
): Applied {
  const last = new xdr.SimplePaymentResult({
    destination: publicKeyXdr(to),
    asset: assetOf(asset).toXdrObject(),
    amount: units,
  });
  return { detail: { offers: claimAtoms(trades), last }, record: fields, participants: [to] };
}

export function pathPaymentStrictReceive(
  { entries, source }: OperationContext,
  operation: Operation<'pathPaymentStrictReceive'>,
): Applied {
  const { account: to, muxed } = accountOf(operation.destination);
  const [sendAsset, destAsset] = [assetKey(operation.sendAsset), assetKey(operation.destAsset)];
  const [sendMax, units] = [toStroops(operation.sendMax), toStroops(operation.destAmount)];
  if (sendMax <= 0n || units <= 0n) throw new OperationFailure('Malformed');
  if (!entries.accounts.get(to)) throw new OperationFailure('NoDestination');
  credit(entries, to, destAsset, units);
  const path = [sendAsset, ...operation.path.map(assetKey), destAsset];
  const { sent, trades } = convertToReceive(entries, source, path, units);
  if (sent > sendMax) throw new OperationFailure('OverSendmax');
  debit(entries, source, sendAsset, sent);
  const { detail, ...rest } = applied(to, destAsset, units, trades, {
    type: 'path_payment_strict_receive',
    type_i: 2,
    ...assetFields(destAsset),
    ...assetFields(sendAsset, 'source_'),
    from: source,
    to,
    ...muxedFields('to', muxed),
    amount: formatStroops(units),
    source_amount: formatStroops(sent),
    source_max: formatStroops(sendMax),
    path: operation.path.map((asset) => assetFields(assetKey(asset))),
  });
  return { ...rest, detail: new xdr.PathPaymentStrictReceiveResultSuccess(detail as PathDetail) };
}

type PathDetail = { offers: xdr.ClaimAtom[]; last: xdr.SimplePaymentResult };

export function pathPaymentStrictSend(
  { entries, source }: OperationContext,
  operation: Operation<'pathPaymentStrictSend'>,
): Applied {
  const { account: to, muxed } = accountOf(operation.destination);
  const [sendAsset, destAsset] = [assetKey(operation.sendAsset), assetKey(operation.destAsset)];
  const [units, destMin] = [toStroops(operation.sendAmount), toStroops(operation.destMin)];
  if (units <= 0n || destMin <= 0n) throw new OperationFailure('Malformed');
  if (!entries.accounts.get(to)) throw new OperationFailure('NoDestination');
  debit(entries, source, sendAsset, units);
  const path = [sendAsset, ...operation.path.map(assetKey), destAsset];
  const { received, trades } = convertToSend(entries, source, path, units);
  if (received < destMin) throw new OperationFailure('UnderDestmin');
  credit(entries, to, destAsset, received);
  const { detail, ...rest } = applied(to, destAsset, received, trades, {
    type: 'path_payment_strict_send',
    type_i: 13,
    ...assetFields(destAsset),
    ...assetFields(sendAsset, 'source_'),
    from: source,
    to,
    ...muxedFields('to', muxed),
    amount: formatStroops(received),
    source_amount: formatStroops(units),
    destination_min: formatStroops(destMin),
    path: operation.path.map((asset) => assetFields(assetKey(asset))),
  });
  return { ...rest, detail: new xdr.PathPaymentStrictSendResultSuccess(detail as PathDetail) };
}
