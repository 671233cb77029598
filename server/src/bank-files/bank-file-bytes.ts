/** The bytes of a file as they came: in pieces, so that no row is too large, and encrypted, because they name payers. */
import type { Query, Tx } from '../db/database.ts';
import { bankFileContext, type Encryption } from '../lib/encryption.ts';
import { insertPiece, piecesOf } from './accept-store.ts';

const pieceBytes = 4 * 1024 * 1024;

export async function keepBytes(tx: Tx, encryption: Encryption, fileId: string, bytes: Uint8Array): Promise<void> {
  for (let start = 0, number = 1; start < bytes.length; start += pieceBytes, number += 1) {
    const piece = bytes.subarray(start, start + pieceBytes);
    await insertPiece(tx, fileId, number, encryption.encryptBytes(piece, bankFileContext(fileId, number)));
  }
}

/** Null: they are no longer kept. */
export async function bytesOf(query: Query, encryption: Encryption, fileId: string): Promise<Buffer | null> {
  const sealed = await piecesOf(query, fileId);
  if (sealed.length === 0) return null;
  return Buffer.concat(
    sealed.map((piece, index) => encryption.decryptBytes(piece, bankFileContext(fileId, index + 1))),
  );
}
