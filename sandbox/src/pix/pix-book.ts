/**
 * What the sandbox's provider remembers: charges, Pix with what was given back of them, and where it calls. Every line of
 * the journal is one of these as it is from then on, so a death between two lines loses nothing that anybody was told.
 */
import { join } from 'node:path';
import { type Journal, noJournal, openJournal } from '../journal.ts';

export type BookedCharge = {
  readonly txid: string;
  readonly revision: number;
  readonly createdAt: number; // milliseconds
  readonly expirySeconds: number;
  readonly status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';
  readonly original: string; // 10.00
  readonly isAmountOpen: boolean;
  readonly key: string;
  readonly locationId: number;
  readonly note: string | null;
};

export type BookedReturn = {
  readonly id: string;
  readonly returnId: string;
  readonly centavos: string;
  readonly nature: 'ORIGINAL' | 'MED_OPERACIONAL' | 'MED_FRAUDE';
  readonly note: string | null;
  readonly askedAt: number;
  readonly settledAt: number | null;
  readonly status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
  /** Why it is in that state, if the bank says so. */
  readonly reason?: string;
};

export type BookedPix = {
  readonly endToEndId: string;
  readonly txid: string | null;
  readonly centavos: string;
  readonly key: string;
  readonly at: number;
  readonly returns: readonly BookedReturn[];
};

type Hook = { readonly key: string; readonly url: string | null; readonly createdAt: number };
type Entry = { readonly charge: BookedCharge } | { readonly pix: BookedPix } | { readonly hook: Hook } | Paid;
/** Together, because a charge that was paid can never be without its Pix. */
type Paid = { readonly charge: BookedCharge; readonly pix: BookedPix };

export type PixBook = ReturnType<typeof openPixBook>;

export function openPixBook(folder?: string) {
  const charges = new Map<string, BookedCharge>();
  const received = new Map<string, BookedPix>();
  const hooks = new Map<string, Hook>();
  let journal: Journal<Entry> = noJournal;

  function apply(entry: Entry): void {
    if ('charge' in entry) charges.set(entry.charge.txid, entry.charge);
    if ('pix' in entry) received.set(entry.pix.endToEndId, entry.pix);
    if ('hook' in entry) hooks.set(entry.hook.key, entry.hook);
  }
  if (folder !== undefined) {
    const opened = openJournal<Entry>(join(folder, 'pix.jsonl'));
    opened.entries.forEach(apply);
    journal = opened.journal;
  }
  return {
    charges,
    received,
    hooks,
    save(entry: Entry): void {
      journal.append(entry);
      apply(entry);
    },
    close: () => journal.close(),
  };
}
