/** What the book has, as the interface writes it. */

import { dynamicCode } from './payer-code.ts';
import type { BookedCharge, BookedPix, BookedReturn, PixBook } from './pix-book.ts';

export const reais = (centavos: bigint | string): string => {
  const digits = String(centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

export const locationOf = ({ locationId }: BookedCharge): string => `pix.sandbox.invalid/qr/v2/${locationId}`;

export function chargeJson(book: PixBook, charge: BookedCharge) {
  const location = locationOf(charge);
  const criacao = new Date(charge.createdAt).toISOString();
  const pix = [...book.received.values()].filter(({ txid }) => txid === charge.txid).map(pixJson);
  return {
    calendario: { criacao, expiracao: charge.expirySeconds },
    txid: charge.txid,
    revisao: charge.revision,
    loc: { id: charge.locationId, location, tipoCob: 'cob', criacao },
    location,
    status: charge.status,
    valor: { original: charge.original, modalidadeAlteracao: charge.isAmountOpen ? 1 : 0 },
    chave: charge.key,
    ...(charge.note !== null && { solicitacaoPagador: charge.note }),
    pixCopiaECola: dynamicCode(location, charge.original),
    ...(pix.length > 0 && { pix }),
  };
}

export const pixJson = ({ endToEndId, txid, centavos, key, at, returns }: BookedPix) => ({
  endToEndId,
  ...(txid !== null && { txid }),
  valor: reais(centavos),
  componentesValor: { original: { valor: reais(centavos) } },
  chave: key,
  horario: new Date(at).toISOString(),
  ...(returns.length > 0 && { devolucoes: returns.map(returnJson) }),
});

export const returnJson = ({
  id,
  returnId,
  centavos,
  nature,
  note,
  askedAt,
  settledAt,
  status,
  reason,
}: BookedReturn) => ({
  id,
  rtrId: returnId,
  valor: reais(centavos),
  natureza: nature,
  ...(note !== null && { descricao: note }),
  horario: {
    solicitacao: new Date(askedAt).toISOString(),
    ...(settledAt !== null && { liquidacao: new Date(settledAt).toISOString() }),
  },
  status,
  ...(reason !== undefined && { motivo: reason }),
});
