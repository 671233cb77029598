/**
 * Whether a transaction of the chain is one that we signed, under another hash. Without segwit the hash also covers the
 * part that unlocks the coins, and that part is not signed. So anybody can change it on the way, and the transaction
 * stays valid: for every signature there is a second one that is valid too (BIP62). The coins and the recipients are
 * signed, and by them we recognise our transactions.
 */
import { hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { type RpcTransaction, spentOutpoints, unitsOf } from './utxo-block.ts';

export function isSameTransaction(raw: string, tx: RpcTransaction): boolean {
  const own = Transaction.fromRaw(hex.decode(raw), {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  });
  const spent = Array.from({ length: own.inputsLength }, (_, at) => {
    const { txid, index } = own.getInput(at);
    return `${hex.encode(txid ?? new Uint8Array())}:${index}`;
  });
  const paid = Array.from({ length: own.outputsLength }, (_, at) => {
    const { amount, script } = own.getOutput(at);
    return `${hex.encode(script ?? new Uint8Array())} ${amount}`;
  });
  return isEqual(spent, spentOutpoints(tx)) && isEqual(paid, tx.vout.map(paidBy));
}

export const paidBy = ({ value, scriptPubKey }: RpcTransaction['vout'][number]): string =>
  `${scriptPubKey?.hex} ${value === undefined ? '' : unitsOf(value)}`;

const isEqual = (these: readonly string[], those: readonly string[]): boolean =>
  these.length === those.length && these.every((each, at) => each === those[at]);
