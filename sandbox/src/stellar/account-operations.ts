/** What an account changes about itself: change_trust, set_options, manage_data, bump_sequence. */
import { Asset, type OperationRecord } from '@stellar/stellar-sdk';
import { liabilities } from './holdings.ts';
import {
  type AccountEntry,
  assetKey,
  formatStroops,
  issuerOf,
  nativeAsset,
  toStroops,
  trustlineKey,
} from './ledger-entries.ts';
import { type Applied, assertReserve, assetFields, type OperationContext, sourceAccount } from './operation-context.ts';
import { OperationFailure } from './operation-outcome.ts';
import { immutableFlag } from './payment-operations.ts';

type Operation<Type extends OperationRecord['type']> = Extract<OperationRecord, { type: Type }>;

const authRequiredFlag = 1;
const revocableFlag = 2;
const clawbackFlag = 8;

/** stellar-core takes printable ASCII in home domains and names of data. */
const isPlainText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
const signersMax = 20;

export function changeTrust(context: OperationContext, operation: Operation<'changeTrust'>): Applied {
  const { entries, source } = context;
  if (!(operation.line instanceof Asset)) throw new OperationFailure('NotSupported'); // No liquidity pools here.
  const asset = assetKey(operation.line);
  const limit = toStroops(operation.limit);
  const issuer = issuerOf(asset);
  // Since protocol 16 a trustline to oneself is invalid.
  if (asset === nativeAsset || issuer === undefined || issuer === source || limit < 0n)
    throw new OperationFailure('Malformed');
  const key = trustlineKey(source, asset);
  const line = entries.trustlines.get(key);
  const record = {
    type: 'change_trust',
    type_i: 6,
    ...assetFields(asset),
    limit: formatStroops(limit),
    trustor: source,
    trustee: issuer,
  };
  if (line) {
    if (limit < line.balance + liabilities(entries, source, asset).buying) throw new OperationFailure('InvalidLimit');
    if (limit === 0n) {
      entries.trustlines.delete(key);
      return { record };
    }
    if (!entries.accounts.get(issuer)) throw new OperationFailure('NoIssuer');
    entries.trustlines.set(key, { ...line, limit });
    return { record };
  }
  if (limit === 0n) throw new OperationFailure('InvalidLimit');
  const trusted = entries.accounts.get(issuer);
  if (!trusted) throw new OperationFailure('NoIssuer');
  const isAuthorized = (trusted.flags & authRequiredFlag) === 0;
  entries.trustlines.set(key, { account: source, asset, balance: 0n, limit, isAuthorized });
  assertReserve(context, liabilities(entries, source, nativeAsset).selling);
  return { record };
}

export function setOptions(context: OperationContext, operation: Operation<'setOptions'>): Applied {
  const account = sourceAccount(context);
  const { masterWeight, lowThreshold, medThreshold, highThreshold, homeDomain } = operation;
  const weights = { masterWeight, lowThreshold, medThreshold, highThreshold };
  if (Object.values(weights).some((weight) => weight !== undefined && (weight < 0 || weight > 255)))
    throw new OperationFailure('ThresholdOutOfRange');
  if (homeDomain !== undefined && (homeDomain.length > 32 || !isPlainText(homeDomain)))
    throw new OperationFailure('InvalidHomeDomain');
  const [set, clear] = [operation.setFlags ?? 0, operation.clearFlags ?? 0];
  if (((set | clear) & ~0b1111) !== 0) throw new OperationFailure('UnknownFlag');
  if ((set & clear) !== 0) throw new OperationFailure('BadFlags');
  if ((set | clear) !== 0 && (account.flags & immutableFlag) !== 0) throw new OperationFailure('CantChange');

  const { inflationDest } = operation;
  if (inflationDest !== undefined && !context.entries.accounts.get(inflationDest))
    throw new OperationFailure('InvalidInflation');
  const flags = (account.flags & ~clear) | set;
  // CAP-35: who can take assets back must also be able to revoke.
  if ((set | clear) !== 0 && (flags & clawbackFlag) !== 0 && (flags & revocableFlag) === 0)
    throw new OperationFailure('AuthRevocableRequired');

  const { thresholds } = account;
  const changed: AccountEntry = {
    ...account,
    flags,
    homeDomain: homeDomain ?? account.homeDomain,
    thresholds: {
      master: masterWeight ?? thresholds.master,
      low: lowThreshold ?? thresholds.low,
      medium: medThreshold ?? thresholds.medium,
      high: highThreshold ?? thresholds.high,
    },
    signers: changedSigners(account, operation.signer as Signer | undefined),
  };
  context.entries.accounts.set(account.id, changed);
  if (changed.signers.size > account.signers.size)
    assertReserve(context, liabilities(context.entries, account.id, nativeAsset).selling);
  return { record: { type: 'set_options', type_i: 5, ...setOptionsFields(operation) } };
}

type Signer = { ed25519PublicKey?: string; weight?: number };

function changedSigners(account: AccountEntry, signer: Signer | undefined): ReadonlyMap<string, number> {
  if (!signer) return account.signers;
  const { ed25519PublicKey: key, weight = 0 } = signer;
  if (key === undefined) throw new OperationFailure('NotSupported'); // No hash or pre-authorised signers here.
  if (key === account.id || weight < 0 || weight > 255) throw new OperationFailure('BadSigner');
  const signers = new Map(account.signers);
  if (weight === 0) signers.delete(key);
  else signers.set(key, weight);
  if (signers.size > signersMax) throw new OperationFailure('TooManySigners');
  return signers;
}

function setOptionsFields(operation: Operation<'setOptions'>): Record<string, unknown> {
  const { ed25519PublicKey, weight } = (operation.signer ?? {}) as Signer;
  return {
    ...(operation.homeDomain !== undefined && { home_domain: operation.homeDomain }),
    ...(operation.masterWeight !== undefined && { master_key_weight: operation.masterWeight }),
    ...(operation.lowThreshold !== undefined && { low_threshold: operation.lowThreshold }),
    ...(operation.medThreshold !== undefined && { med_threshold: operation.medThreshold }),
    ...(operation.highThreshold !== undefined && { high_threshold: operation.highThreshold }),
    ...(ed25519PublicKey !== undefined && { signer_key: ed25519PublicKey, signer_weight: weight }),
  };
}

const dataNameMax = 64;

export function manageData(context: OperationContext, operation: Operation<'manageData'>): Applied {
  const account = sourceAccount(context);
  const { name, value } = operation;
  if (name.length < 1 || name.length > dataNameMax || !isPlainText(name)) throw new OperationFailure('InvalidName');
  const data = new Map(account.data);
  if (value === undefined) {
    if (!data.delete(name)) throw new OperationFailure('NameNotFound');
  } else {
    data.set(name, value);
  }
  context.entries.accounts.set(account.id, { ...account, data });
  if (data.size > account.data.size)
    assertReserve(context, liabilities(context.entries, account.id, nativeAsset).selling);
  const shown = value === undefined ? null : Buffer.from(value).toString('base64');
  return { record: { type: 'manage_data', type_i: 10, name, value: shown } };
}

export function bumpSequence(context: OperationContext, operation: Operation<'bumpSequence'>): Applied {
  const account = sourceAccount(context);
  const bumpTo = BigInt(operation.bumpTo);
  if (bumpTo < 0n) throw new OperationFailure('BadSeq');
  // CAP-1: it never goes back; a smaller number is no failure.
  if (bumpTo > account.sequence) context.entries.accounts.set(account.id, { ...account, sequence: bumpTo });
  return { record: { type: 'bump_sequence', type_i: 11, bump_to: operation.bumpTo } };
}
