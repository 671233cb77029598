/** The bytes of a file as they came, or as we wrote them: in pieces, so that no row is too large, and encrypted, because they name people. */
import type { Query, Tx } from '../db/database.ts';
import { bankFileContext, bankOrderContext, type Encryption, paymentFileContext } from '../lib/encryption.ts';
import { insertPiece, piecesOf } from './accept-store.ts';
import { insertOrderPiece, orderPieces } from './bank-order-store.ts';
import { insertPaymentPiece, paymentPieces } from './payment-file-store.ts';

const pieceBytes = 4 * 1024 * 1024;

export async function keepBytes(tx: Tx, encryption: Encryption, fileId: string, bytes: Uint8Array): Promise<void> {
  for (const { number, piece } of piecesIn(bytes))
    await insertPiece(tx, fileId, number, encryption.encryptBytes(piece, bankFileContext(fileId, number)));
}

function* piecesIn(bytes: Uint8Array): Generator<{ readonly number: number; readonly piece: Uint8Array }> {
  for (let start = 0, number = 1; start < bytes.length; start += pieceBytes, number += 1)
    yield { number, piece: bytes.subarray(start, start + pieceBytes) };
}

/** Null: they are no longer kept. */
export async function bytesOf(query: Query, encryption: Encryption, fileId: string): Promise<Buffer | null> {
  const sealed = await piecesOf(query, fileId);
  if (sealed.length === 0) return null;
  return Buffer.concat(
    sealed.map((piece, index) => encryption.decryptBytes(piece, bankFileContext(fileId, index + 1))),
  );
}

/** Of a file that waits to be read by the service. */
export async function keepOrderedBytes(
  tx: Tx,
  encryption: Encryption,
  orderId: string,
  bytes: Uint8Array,
): Promise<void> {
  for (const { number, piece } of piecesIn(bytes))
    await insertOrderPiece(tx, orderId, number, encryption.encryptBytes(piece, bankOrderContext(orderId, number)));
}

export async function orderedBytes(query: Query, encryption: Encryption, orderId: string): Promise<Buffer> {
  const sealed = await orderPieces(query, orderId);
  return Buffer.concat(
    sealed.map((piece, index) => encryption.decryptBytes(piece, bankOrderContext(orderId, index + 1))),
  );
}

/** Of a payment file, which a person hands to the bank. */
export async function keepPaymentBytes(
  tx: Tx,
  encryption: Encryption,
  fileId: string,
  bytes: Uint8Array,
): Promise<void> {
  for (const { number, piece } of piecesIn(bytes))
    await insertPaymentPiece(tx, fileId, number, encryption.encryptBytes(piece, paymentFileContext(fileId, number)));
}

/** Null: they are no longer kept. */
export async function paymentBytes(query: Query, encryption: Encryption, fileId: string): Promise<Buffer | null> {
  const sealed = await paymentPieces(query, fileId);
  if (sealed.length === 0) return null;
  return Buffer.concat(
    sealed.map((piece, index) => encryption.decryptBytes(piece, paymentFileContext(fileId, index + 1))),
  );
}
