/**
 * A charge (`cob`), with which the provider knows what is asked for and until when. It can be paid once, as a whole, and
 * not after it has expired. Its name, the txid, is ours: whoever asks again, because the answer was lost, gets the same.
 */
import { createHash } from 'node:crypto';
import { compare, decimal, parseDecimal } from '../../money/decimal.ts';
import { NetworkError } from '../port/connector.ts';
import type { DepositTarget, TargetRequest } from '../port/receiving.ts';
import { isChargeUrl, readBrCode, withAmount, writeBrCode } from './br-code.ts';
import { readCentavos, writeReais } from './pix-amount.ts';
import { type PixApi, PixRefusal } from './pix-api.ts';

export type Receiver = { readonly key: string; readonly name: string; readonly city: string };

/** 26 to 35 letters and digits, unique for the receiver, whoever else makes charges for the same key. */
export const txidOf = (targetId: string): string =>
  createHash('sha256').update(`quittance pix charge ${targetId}`).digest('hex').slice(0, 32);

export async function createCharge(
  api: PixApi,
  receiver: Receiver,
  {
    targetId,
    amount,
    requestedAt,
    expiresAt,
  }: Pick<TargetRequest, 'targetId' | 'amount' | 'requestedAt' | 'expiresAt'>,
): Promise<DepositTarget> {
  const txid = txidOf(targetId);
  const path = `/cob/${txid}`;
  const original = writeReais(amount.units);
  const wanted = {
    calendario: { expiracao: Math.max(1, Math.ceil((expiresAt.getTime() - requestedAt.getTime()) / 1000)) },
    valor: { original },
    chave: receiver.key,
  };
  const { body } = await api.put(path, wanted).catch((error: unknown) => {
    // Some providers refuse to be told the same charge twice, none to show it.
    if (!(error instanceof PixRefusal)) throw error;
    return api.get(path).catch(() => Promise.reject(error));
  });
  return { key: txid, address: codeOf(body as Charge, { txid, original, receiver }), memo: null, memoType: null };
}

type Charge = {
  readonly txid?: unknown;
  readonly chave?: unknown;
  readonly valor?: { readonly original?: unknown; readonly modalidadeAlteracao?: unknown } | null;
  readonly pixCopiaECola?: unknown;
  readonly location?: unknown;
};
type Wanted = { readonly txid: string; readonly original: string; readonly receiver: Receiver };

/** What a payer is shown, if the charge is the one that we wanted: what is wrong with it would be paid by somebody. */
function codeOf(charge: Charge, { txid, original, receiver }: Wanted): string {
  const { pixCopiaECola: given, location } = charge;
  if (charge.txid !== txid) throw wrong('has another txid');
  if (charge.chave !== receiver.key) throw wrong('is for another key');
  if (readCentavos(charge.valor?.original) !== readCentavos(original)) throw wrong('asks for another amount');
  if ((charge.valor?.modalidadeAlteracao ?? 0) !== 0) throw wrong('lets the payer change the amount');
  if (typeof given !== 'string') {
    if (typeof location !== 'string' || !isChargeUrl(location)) throw wrong('has no code');
    const { name, city } = receiver;
    return writeBrCode({ of: { kind: 'charge', url: location, amount: original }, name, city });
  }
  const of = readBrCode(given)?.of;
  if (!of) throw wrong('has a wrong code');
  if (of.kind !== 'charge') throw wrong('has a code without a place');
  if (of.amount === original) return given;
  // Written otherwise, as 10 or 10.5, it is the same; left out, only the place has it.
  const units = of.amount === null ? null : parseDecimal(of.amount);
  if (units !== null && (!units || compare(units, decimal(original)) !== 0))
    throw wrong('has a code for another amount');
  return withAmount(given, original);
}

const wrong = (what: string): NetworkError =>
  new NetworkError(`The charge that the Pix provider answered with ${what}.`, { isRetryable: true });
