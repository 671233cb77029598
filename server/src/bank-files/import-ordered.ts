/**
 * Imports a file for who has only the database: the running service reads it, because that needs connectors. What became of it
 * is written down with it, in one transaction, so that a job that runs twice does not say that all was known.
 */
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { DocumentRefused } from '../networks/port/documents.ts';
import { keepOrderedBytes, orderedBytes } from './bank-file-bytes.ts';
import { type BankOrder, findBankOrder, insertBankOrder, saveOutcome } from './bank-order-store.ts';
import { bankNamed, type ImportDeps, type ImportedFile, importBankFile } from './import-bank-file.ts';
import { shownImport } from './import-words.ts';

/** Puts a file to the service; gives the id under which its outcome is found. */
export async function orderImport(
  { db, encryption }: { readonly db: Db; readonly encryption: Encryption },
  order: BankOrder & { readonly bytes: Uint8Array },
  at: Date,
): Promise<string> {
  const id = newId();
  await db.begin(async (tx) => {
    await insertBankOrder(tx, id, order, at);
    await keepOrderedBytes(tx, encryption, id, order.bytes);
    await enqueue(tx, [{ name: 'bank.import', payload: { orderId: id }, runAt: at }]);
  });
  return id;
}

export async function importOrdered(deps: ImportDeps, { orderId }: JobCatalog['bank.import']): Promise<void> {
  const { db } = deps;
  const order = await findBankOrder(db, orderId);
  if (!order || order.outcome !== null) return; // The job ran before and only its acknowledgement was lost.
  try {
    const { network } = bankNamed(deps.connectors, order.network);
    const bytes = await orderedBytes(db, deps.encryption, orderId);
    const file = { network: network.id, fileName: order.fileName, bytes, way: 'COMMAND', actor: 'operator' } as const;
    let isSaved = false;
    const imported = await importBankFile(deps, {
      ...file,
      begin: (work) =>
        db.begin(async (tx) => {
          const accepted: ImportedFile = await work(tx);
          await saveOutcome(tx, orderId, { imported: shownImport(accepted) });
          isSaved = true;
          return accepted;
        }),
    });
    if (!isSaved) await db.begin((tx) => saveOutcome(tx, orderId, { imported: shownImport(imported) }));
  } catch (error) {
    const why = error instanceof DocumentRefused || error instanceof GatewayError ? error.message : null;
    if (why === null) throw error;
    await db.begin((tx) => saveOutcome(tx, orderId, { refused: why }));
  }
}
