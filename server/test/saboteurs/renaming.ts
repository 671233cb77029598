/** Transactions whose names others can change (server/test/networks/renamed-transaction.test.ts), and what depends on it. */
import type { Saboteur } from './saboteur.ts';

const renamed = 'server/test/networks/renamed-transaction.test.ts';
const dogecoin = 'server/test/networks/dogecoin.sampled.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/utxo/follow-outgoing.ts',
    fault: 'a transaction of ours is known by its name alone until it is missed',
    find: 'return [...rivals].find(({ raw }) => isSameTransaction(raw, tx));',
    replace: 'return rivals.size < 0 ? [...rivals][0] : undefined;',
    noticedBy: renamed,
    test: 'without a search',
  },
  {
    file: 'networks/families/utxo/follow-outgoing.ts',
    fault: 'a renamed transaction is not searched for',
    find: 'isOwnSpending(rival) && isSameTransaction(transaction.raw, rival)',
    replace: 'false',
    noticedBy: renamed,
    test: 'read before it was known',
  },
  {
    file: 'networks/families/utxo/same-transaction.ts',
    fault: 'whoever takes our coins has made our payment, whomever it pays',
    find: ' && isEqual(paid, tx.vout.map(paidBy))',
    replace: '',
    noticedBy: renamed,
    test: 'pays somebody else',
  },
  {
    file: 'sending/record-sent.ts',
    fault: 'a payout keeps a name that the chain no longer has',
    find: `payouts.push(...(await renamePayouts(tx, happened)));
      continue;`,
    replace: 'continue;',
    noticedBy: 'server/test/sending.test.ts',
    test: 'told by the name',
  },
  {
    file: 'sending/payout-store.ts',
    fault: 'a payout is told by a name that the chain does not have',
    find: 'tx_hash = ${ended.happenedAs},',
    replace: 'tx_hash = ${ended.txHash},',
    noticedBy: 'server/test/sending.test.ts',
    test: 'told by the name',
  },
  {
    file: 'networks/families/utxo/utxo-transaction-size.ts',
    fault: 'an input without segwit is paid for as if its signature were outside',
    find: 'p2pkh: { inputBytes: bareInputBytes + unlockingBytes,',
    replace: 'p2pkh: { inputBytes: bareInputBytes + 27,',
    noticedBy: dogecoin,
  },
  {
    file: 'networks/families/utxo/utxo-account-key.ts',
    fault: 'the key of a segwit account is taken for one of P2PKH addresses',
    find: 'p2pkh: [plain.main, plain.test],',
    replace: 'get p2pkh() { return this.p2wpkh; },',
    noticedBy: dogecoin,
  },
  {
    file: 'networks/families/utxo/utxo-replacement.ts',
    fault: 'what an old node says of descendants is not read, and a replacement does not outbid them',
    find: ': BigInt(entry.descendantfees)',
    replace: ': 0n',
    noticedBy: renamed,
    test: 'outbids',
  },
  {
    file: 'networks/families/utxo/utxo-fee-rate.ts',
    fault: 'an old node that has no estimate is taken at its word',
    find: 'feerate === undefined || feerate < 0',
    replace: 'feerate === undefined',
    noticedBy: 'server/src/networks/families/utxo/utxo-fee-rate.test.ts',
  },
  {
    file: 'payments/payment-store.ts',
    fault: 'change under another name is taken for a gift to the operator, and is in the books twice',
    find: 'own.tx_hash = seen.signed_as)',
    replace: 'own.tx_hash = seen.tx_hash)',
    noticedBy: 'server/test/sending.test.ts',
    test: 'no gift to the operator',
  },
  {
    file: 'networks/families/utxo/utxo-connector.ts',
    fault: 'change under another name is not said to be ours',
    find: 'signedAs !== undefined && signedAs !== tx.txid && { signedAs }',
    replace: 'signedAs === tx.txid && { signedAs }',
    noticedBy: renamed,
    test: 'its change is said to be ours',
  },
  {
    file: 'networks/families/utxo/utxo-rpc.ts',
    fault: 'a payment of millions of coins stops the watcher for ever',
    find: `text.replace(largeAmount, '$1"$2"')`,
    replace: `text.replace(largeAmount, '$1$2')`,
    noticedBy: 'server/test/networks/large-amounts.test.ts',
  },
];
