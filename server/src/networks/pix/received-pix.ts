/**
 * A Pix that was received, as the provider lists it. What names a charge of ours is read strictly: whatever is not as
 * the interface says stops the reading, because it may be somebody's money. What names none is somebody else's, and is
 * not looked at.
 */
import { NetworkError } from '../port/connector.ts';
import type { BlockRef, Observation, Reversal } from '../port/receiving.ts';
import { readCentavos } from './pix-amount.ts';

export const assetCode = 'BRL';

/** Not read yet, but for its names. */
export type ListedPix = Readonly<Record<string, unknown>> & { readonly endToEndId: string };

export type ReceivedPix = {
  readonly endToEndId: string;
  readonly txid: string;
  readonly units: bigint;
  readonly receivedAt: Date;
  readonly returns: readonly PixReturn[];
};

/** A `devolução`: what went back to the payer of one Pix, whole or in part. */
export type PixReturn = {
  readonly id: string; // chosen by whoever asked for it
  readonly returnId: string; // rtrId, unique in all of Pix
  readonly units: bigint;
  readonly status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
  readonly nature: string;
  readonly note: string | null;
  /** When it was settled, or asked for where that is not said. */
  readonly at: Date;
};

const name32 = /^[a-zA-Z0-9]{32}$/;

/** Undefined: it names no charge, so it is nothing of ours. */
export function txidIn({ txid }: ListedPix): string | undefined {
  if (txid === undefined || txid === null) return undefined;
  if (typeof txid !== 'string') throw malformed('a txid that is no text');
  return txid;
}

export function readListed(given: unknown): ListedPix {
  const pix = recordOf(given, 'an entry that is no object');
  if (typeof pix['endToEndId'] !== 'string' || !name32.test(pix['endToEndId'])) throw malformed('a wrong endToEndId');
  return pix as ListedPix;
}

export function readPix(pix: ListedPix): ReceivedPix {
  const { valor, horario } = pix;
  const devolucoes = pix['devolucoes'] ?? []; // Some providers write what there is not as null.
  const txid = txidIn(pix);
  const units = readCentavos(valor);
  if (txid === undefined) throw malformed('no txid');
  if (units === undefined || units === 0n) throw malformed(`a wrong valor (${pix.endToEndId})`);
  if (!Array.isArray(devolucoes)) throw malformed(`wrong devolucoes (${pix.endToEndId})`);
  const returns = devolucoes.map(readReturn);
  if (new Set(returns.map(({ returnId }) => returnId)).size < returns.length)
    throw malformed(`the same devolucao twice (${pix.endToEndId})`);
  return { endToEndId: pix.endToEndId, txid, units, receivedAt: readTime(horario), returns };
}

export function readReturn(given: unknown): PixReturn {
  const { id, rtrId, valor, status, natureza, motivo, descricao, horario } = recordOf(given, 'a devolucao of no form');
  const units = readCentavos(valor);
  const times = recordOf(horario ?? {}, 'a devolucao with a wrong horario');
  if (typeof id !== 'string' || !/^[a-zA-Z0-9]{1,35}$/.test(id)) throw malformed('a devolucao with a wrong id');
  if (typeof rtrId !== 'string' || !name32.test(rtrId)) throw malformed('a devolucao with a wrong rtrId');
  if (units === undefined || units === 0n) throw malformed('a devolucao with a wrong valor');
  if (status !== 'EM_PROCESSAMENTO' && status !== 'DEVOLVIDO' && status !== 'NAO_REALIZADO')
    throw malformed('a devolucao with an unknown status');
  const said = [motivo, descricao].find((each) => typeof each === 'string' && each !== '') as string | undefined;
  return {
    id,
    returnId: rtrId,
    units,
    status,
    nature: typeof natureza === 'string' ? natureza.slice(0, 40) : 'ORIGINAL',
    note: said?.slice(0, 140) ?? null,
    at: readTime(times['liquidacao'] ?? times['solicitacao']),
  };
}

/** RFC 3339: a time without its zone could be any of several. */
function readTime(given: unknown): Date {
  const isTime = typeof given === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(given);
  const time = new Date(isTime ? given : Number.NaN);
  if (Number.isNaN(time.getTime())) throw malformed('a time that is none');
  return time;
}

/**
 * Pix has no blocks: a minute takes their place, and its number is the height. What the provider has not reached by its
 * own clock is put into the newest minute: it is there, whatever its clock says.
 */
export const minuteOf = (time: Date): number => Math.floor(time.getTime() / 60_000);

export const blockAt = (hash: string, time: Date, newest: number): BlockRef => ({
  hash,
  height: Math.min(minuteOf(time), newest),
  time,
});

export const observationOf = ({ endToEndId, txid, units, receivedAt }: ReceivedPix, newest: number): Observation => ({
  targetKey: txid,
  txHash: endToEndId,
  index: '0',
  assetCode,
  units,
  block: blockAt(endToEndId, receivedAt, newest),
  trace: { endToEndId },
});

/**
 * What was taken back of a payment: by the payer's bank over ours, without our consent (MED), or in the bank's own
 * portal. What is only asked for, or was not done, took nothing. All of it together can be no more than the payment.
 * What we gave back ourselves is among it, and known by its name.
 */
export function reversalsOf({ endToEndId, units, returns }: ReceivedPix, newest: number): readonly Reversal[] {
  const done = returns.filter(({ status }) => status === 'DEVOLVIDO');
  const total = done.reduce((sum, each) => sum + each.units, 0n);
  if (total > units) throw malformed(`more given back than was paid (${endToEndId})`);
  return done.map(({ id, returnId, units: taken, nature, note, at }) => ({
    reversalId: returnId,
    signedAs: id,
    txHash: endToEndId,
    index: '0',
    assetCode,
    units: taken,
    block: blockAt(returnId, at, newest),
    reason: note === null ? nature : `${nature}: ${note}`,
  }));
}

/** Whether two readings of one Pix tell of the same payment; what was given back may have changed in between. */
export const isSamePayment = (a: ListedPix, b: ListedPix): boolean =>
  a['txid'] === b['txid'] && a['valor'] === b['valor'] && a['horario'] === b['horario'];

function recordOf(given: unknown, otherwise: string): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw malformed(otherwise);
  return given as Readonly<Record<string, unknown>>;
}

export const malformed = (what: string): NetworkError =>
  new NetworkError(`The Pix provider lists ${what}.`, { isRetryable: true });
