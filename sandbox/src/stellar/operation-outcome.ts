/**
 * How an operation ends: in the XDR of the protocol (Stellar-transaction.x) and in the words of Horizon, which are the
 * XDR's names in snake case with a few exceptions of Horizon's own (its `codes` package).
 */
import { xdr } from '@stellar/stellar-sdk';

/** The union that carries the result of an operation, and the prefix of its cases. */
const resultTypes = {
  createAccount: ['CreateAccountResult', 'createAccount'],
  payment: ['PaymentResult', 'payment'],
  pathPaymentStrictReceive: ['PathPaymentStrictReceiveResult', 'pathPaymentStrictReceive'],
  pathPaymentStrictSend: ['PathPaymentStrictSendResult', 'pathPaymentStrictSend'],
  manageSellOffer: ['ManageSellOfferResult', 'manageSellOffer'],
  manageBuyOffer: ['ManageBuyOfferResult', 'manageBuyOffer'],
  setOptions: ['SetOptionsResult', 'setOptions'],
  changeTrust: ['ChangeTrustResult', 'changeTrust'],
  accountMerge: ['AccountMergeResult', 'accountMerge'],
  manageData: ['ManageDataResult', 'manageData'],
  bumpSequence: ['BumpSequenceResult', 'bumpSequence'],
  createClaimableBalance: ['CreateClaimableBalanceResult', 'createClaimableBalance'],
  claimClaimableBalance: ['ClaimClaimableBalanceResult', 'claimClaimableBalance'],
} as const;

export type PlayedOperation = keyof typeof resultTypes;

export const isPlayed = (type: string): type is PlayedOperation => Object.hasOwn(resultTypes, type);

const horizonWords: Readonly<Record<string, string>> = {
  AlreadyExist: 'op_already_exists',
  OverSendmax: 'op_over_source_max',
  UnderDestmin: 'op_under_dest_min',
  OfferCrossSelf: 'op_cross_self',
  NotFound: 'op_offer_not_found',
  SeqnumTooFar: 'op_seq_num_too_far',
  NameNotFound: 'op_data_name_not_found',
  InvalidName: 'op_data_invalid_name',
  SellNotAuthorized: 'sell_not_authorized', // It lacks the prefix that all others have.
  BuyNotAuthorized: 'buy_not_authorized',
  BadAuth: 'op_bad_auth',
  NoSourceAccount: 'op_no_source_account',
  NotSupported: 'op_not_supported',
  TooManySubentries: 'op_too_many_subentries',
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Thrown by an operation that does not succeed; `reason` is the case of its result without the prefix. */
export class OperationFailure extends Error {
  readonly reason: string;
  readonly detail: unknown;
  constructor(reason: string, detail?: unknown) {
    super(reason);
    this.reason = reason;
    this.detail = detail;
  }
  get horizonCode(): string {
    return horizonWords[this.reason] ?? `op${snakeCase(this.reason)}`;
  }
}

/** Failures that any operation can have, before its own rules are checked. */
const outerResults: Readonly<Record<string, () => xdr.OperationResult>> = {
  BadAuth: () => xdr.OperationResult.opBadAuth(),
  NoSourceAccount: () => xdr.OperationResult.opNoAccount(),
  NotSupported: () => xdr.OperationResult.opNotSupported(),
  TooManySubentries: () => xdr.OperationResult.opTooManySubentries(),
};

export function failedResult(type: string, failure: OperationFailure): xdr.OperationResult {
  const outer = outerResults[failure.reason];
  if (outer) return outer();
  if (!isPlayed(type)) return xdr.OperationResult.opNotSupported();
  return innerResult(type, failure.reason, failure.detail);
}

export const successResult = (type: PlayedOperation, detail?: unknown): xdr.OperationResult =>
  innerResult(type, 'Success', detail);

/** For an operation without a mistake in a transaction that was refused: the protocol's default, an empty success. */
export function untriedResult(type: string): xdr.OperationResult {
  if (!isPlayed(type)) return xdr.OperationResult.opNotSupported();
  const nothing = Object.hasOwn(successesOfNothing, type) ? successesOfNothing[type]?.() : undefined;
  return successResult(type, nothing);
}

const nobody = () => xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32));
const noPayment = () =>
  new xdr.SimplePaymentResult({ destination: nobody(), asset: xdr.Asset.assetTypeNative(), amount: 0n });
const noOffer = () =>
  new xdr.ManageOfferSuccessResult({
    offersClaimed: [],
    offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
  });
const successesOfNothing: { readonly [Type in PlayedOperation]?: () => unknown } = {
  accountMerge: () => 0n,
  createClaimableBalance: () => xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32)),
  manageBuyOffer: noOffer,
  manageSellOffer: noOffer,
  pathPaymentStrictReceive: () => new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [], last: noPayment() }),
  pathPaymentStrictSend: () => new xdr.PathPaymentStrictSendResultSuccess({ offers: [], last: noPayment() }),
};

type ResultMaker = Readonly<Record<string, (detail?: unknown) => unknown>>;

/** The generated classes have one function per case; only their names differ from operation to operation. */
function innerResult(type: PlayedOperation, caseName: string, detail: unknown): xdr.OperationResult {
  const [union, prefix] = resultTypes[type];
  const makers = xdr[union] as unknown as ResultMaker;
  const make = makers[`${prefix}${caseName}`];
  if (!make) throw new Error(`${union} has no case ${prefix}${caseName}`);
  const wrap = (xdr.OperationResultTr as unknown as ResultMaker)[type];
  const inner = wrap?.call(xdr.OperationResultTr, make.call(makers, detail)) as xdr.OperationResultTr;
  return xdr.OperationResult.opInner(inner);
}
