/**
 * What a bank does with Pix: charges that are paid once and in time, payments, and what goes back. Pure of HTTP; all money
 * is centavos; the clock is handed in.
 */
import { randomBytes } from 'node:crypto';
import { locationIn } from './payer-code.ts';
import type { BookedCharge, BookedPix, BookedReturn, PixBook } from './pix-book.ts';
import { locationOf } from './pix-json.ts';
import { PixProblem } from './pix-problem.ts';

const day = 24 * 60 * 60 * 1000;
/** A receiver may give back so long (the interface), and a payer may contest so long (MED). */
const returnMs = 90 * day;
const contestMs = 80 * day;

export type PixProvider = ReturnType<typeof createPixProvider>;

export function createPixProvider(
  book: PixBook,
  options: { readonly keys: readonly string[]; readonly now: () => Date; readonly returnDelayMs: number },
) {
  const now = (): number => options.now().getTime();
  const listeners = new Set<(pix: BookedPix) => void>();

  /** E or D, the bank, the minute, and eleven letters of its own: 32 characters. */
  function newName(kind: 'E' | 'D'): string {
    const stamp = options.now().toISOString().replace(/\D/g, '').slice(0, 12);
    const alphabet = 'abcdefghijklmnopqrstuvwxyz012345';
    return `${kind}99999999${stamp}${Array.from(randomBytes(11), (byte) => alphabet[byte % 32]).join('')}`;
  }

  function findPix(endToEndId: string): BookedPix {
    const pix = book.received.get(endToEndId);
    if (!pix) throw new PixProblem(404, 'PixNaoEncontrado', 'pix não encontrada para o e2eid informado.');
    return settled(pix);
  }

  /** What was asked to go back takes a moment. */
  function settled(pix: BookedPix): BookedPix {
    const isDue = (each: BookedReturn): boolean =>
      each.status === 'EM_PROCESSAMENTO' && now() >= each.askedAt + options.returnDelayMs;
    return pix.returns.some(isDue) ? endReturns(pix, isDue, 'DEVOLVIDO') : pix;
  }

  function endReturns(
    pix: BookedPix,
    which: (each: BookedReturn) => boolean,
    status: 'DEVOLVIDO' | 'NAO_REALIZADO',
  ): BookedPix {
    const ended = status === 'DEVOLVIDO' ? { settledAt: now() } : { reason: 'A conta do pagador foi encerrada' };
    const returns = pix.returns.map((each) => (which(each) ? { ...each, status, ...ended } : each));
    return tell({ ...pix, returns });
  }

  function tell(pix: BookedPix): BookedPix {
    book.save({ pix });
    for (const listener of listeners) listener(pix);
    return pix;
  }

  function addReturn(
    pix: BookedPix,
    wanted: Pick<BookedReturn, 'id' | 'nature' | 'note'>,
    centavos: bigint,
  ): BookedPix {
    const isDone = wanted.nature !== 'ORIGINAL';
    const added: BookedReturn = {
      ...wanted,
      returnId: newName('D'),
      centavos: centavos.toString(),
      askedAt: now(),
      settledAt: isDone ? now() : null,
      status: isDone ? 'DEVOLVIDO' : 'EM_PROCESSAMENTO',
    };
    const changed = { ...pix, returns: [...pix.returns, added] };
    if (isDone) return tell(changed);
    book.save({ pix: changed });
    return changed;
  }

  const leftOf = ({ centavos, returns }: BookedPix): bigint =>
    returns
      .filter(({ status }) => status !== 'NAO_REALIZADO')
      .reduce((left, each) => left - BigInt(each.centavos), BigInt(centavos));

  const chargeOf = (code: string): BookedCharge => {
    const location = locationIn(code);
    const charge = [...book.charges.values()].find((each) => locationOf(each) === location);
    if (!charge) throw new Error('there is no such charge');
    return charge;
  };

  return {
    listeners,
    findPix,
    leftOf,
    /** In the order in which they came. */
    all: (): BookedPix[] => [...book.received.values()].map(settled),
    findCharge(txid: string): BookedCharge {
      const charge = book.charges.get(txid);
      if (!charge) throw new PixProblem(404, 'CobNaoEncontrado', 'Cobrança não encontrada para o txid informado.');
      return charge;
    },
    putCharge(wanted: Omit<BookedCharge, 'revision' | 'createdAt' | 'status' | 'locationId'>): BookedCharge {
      if (!options.keys.includes(wanted.key))
        throw new PixProblem(400, 'CobOperacaoInvalida', 'O campo cob.chave não pertence a este usuário recebedor.');
      const known = book.charges.get(wanted.txid);
      if (known && known.status !== 'ATIVA')
        throw new PixProblem(400, 'CobOperacaoInvalida', 'A cobrança já existe e não está no status ATIVA.');
      const charge: BookedCharge = known
        ? { ...known, ...wanted, revision: known.revision + 1 }
        : { ...wanted, revision: 0, createdAt: now(), status: 'ATIVA', locationId: book.charges.size + 1 };
      book.save({ charge });
      return charge;
    },
    /** By the receiver: another amount or time, or no longer wanted. */
    changeCharge(txid: string, changed: Partial<BookedCharge>): BookedCharge {
      const known = this.findCharge(txid);
      if (known.status !== 'ATIVA')
        throw new PixProblem(400, 'CobOperacaoInvalida', 'A cobrança não está ATIVA, e a requisição busca alterá-la.');
      const charge = { ...known, ...changed, revision: known.revision + 1 };
      book.save({ charge });
      return charge;
    },
    /** A payer's bank pays the charge of a code. */
    pay({ code, centavos }: { code: string; centavos?: bigint | undefined }): string {
      const charge = chargeOf(code);
      const asked = BigInt(charge.original.replace('.', ''));
      const paid = centavos ?? asked;
      if (charge.status !== 'ATIVA') throw new Error('refused: the charge is not open');
      if (now() >= charge.createdAt + charge.expirySeconds * 1000) throw new Error('refused: the charge has expired');
      if (paid <= 0n || (paid !== asked && !charge.isAmountOpen))
        throw new Error(`refused: the charge is for ${charge.original}`);
      const pix: BookedPix = {
        endToEndId: newName('E'),
        txid: charge.txid,
        centavos: paid.toString(),
        key: charge.key,
        at: now(),
        returns: [],
      };
      book.save({ charge: { ...charge, status: 'CONCLUIDA' }, pix });
      for (const listener of listeners) listener(pix);
      return pix.endToEndId;
    },
    /** Somebody pays the key itself, or a charge of another program: `txid` is whatever the payer's bank was told. */
    payKey({ centavos, txid = null, at = now() }: { centavos: bigint; txid?: string | null; at?: number }): string {
      const endToEndId = newName('E');
      tell({ endToEndId, txid, centavos: centavos.toString(), key: options.keys[0] ?? '', at, returns: [] });
      return endToEndId;
    },
    giveBack(endToEndId: string, id: string, centavos: bigint, note: string | null): BookedReturn {
      const pix = findPix(endToEndId);
      const refuse = (violation: string): never => {
        throw new PixProblem(400, 'PixDevolucaoInvalida', violation);
      };
      if (pix.returns.some((each) => each.id === id))
        refuse('O {id} já foi utilizado por outra requisição de devolução.');
      if (centavos > leftOf(pix)) refuse('A devolução excederia o valor do pix originário.');
      if (now() > pix.at + returnMs) refuse('A devolução viola a janela de tempo permitida.');
      return findReturn(addReturn(pix, { id, nature: 'ORIGINAL', note }, centavos), id);
    },
    findReturn: (endToEndId: string, id: string): BookedReturn => findReturn(findPix(endToEndId), id),
    /** A payment that was asked to go back did, or did not. */
    endReturn: (endToEndId: string, id: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO') =>
      void endReturns(findPix(endToEndId), (each) => each.id === id && each.status === 'EM_PROCESSAMENTO', status),
    /** MED: the payer's bank contests it, and ours gives it back without asking. */
    contest(endToEndId: string, { centavos, isFraud = true }: { centavos?: bigint; isFraud?: boolean } = {}): string {
      const pix = findPix(endToEndId);
      const taken = centavos ?? leftOf(pix);
      if (now() > pix.at + contestMs) throw new Error('refused: it can no longer be contested');
      if (taken <= 0n || taken > leftOf(pix)) throw new Error('refused: there is not so much left of it');
      const nature = isFraud ? 'MED_FRAUDE' : 'MED_OPERACIONAL';
      const id = `med${pix.returns.length + 1}`;
      return findReturn(addReturn(pix, { id, nature, note: 'Contestado pelo pagador' }, taken), id).returnId;
    },
  };
}

function findReturn({ returns }: BookedPix, id: string): BookedReturn {
  const found = returns.find((each) => each.id === id);
  if (!found)
    throw new PixProblem(404, 'PixDevolucaoNaoEncontrada', 'devolução não encontrada para o e2eid informado.');
  return found;
}
