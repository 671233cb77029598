/** Payment files: nobody is paid twice, by whatever people do with them. */
import type { Saboteur } from './saboteur.ts';

const files = 'server/test/payment-files.test.ts';
const doubts = 'server/test/payment-file-doubts.test.ts';
const banks = 'server/test/networks/sepa-doubts.test.ts';
const fates = 'server/test/payment-file-fates.deep.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/bank/own-bookings.ts',
    fault: 'a file that was handed in twice is taken for refused',
    find: ' || isRefusedAsDuplicate(answer)) return;',
    replace: ') return;',
    noticedBy: banks,
  },
  {
    file: 'networks/families/bank/own-bookings.ts',
    fault: 'what came back before its booking was told is nobody’s',
    find: 'for (const place of debitsFirst(told)) {',
    replace: 'for (const place of told.keys()) {',
    noticedBy: banks,
  },
  {
    file: 'networks/families/bank/bank-connector.ts',
    fault: 'a notice proves that nothing else was booked',
    find: '=== null ? null : coveredBy(document);',
    replace: '=== undefined ? null : coveredBy(document);',
    noticedBy: banks,
  },
  {
    file: 'networks/families/bank/bank-connector.ts',
    fault: 'what is booked as another amount is given up on the same day',
    find: '!inDoubt.has(payoutId) && provenTo',
    replace: 'provenTo',
    noticedBy: banks,
  },
  {
    file: 'watching/watch-network.ts',
    fault: 'what may have been paid is given up because somebody declared it void',
    find: 'return declared.filter(({ payoutId }) => !inDoubt.has(payoutId));',
    replace: 'return declared.filter(({ payoutId }) => payoutId !== String(inDoubt.size));',
    noticedBy: doubts,
  },
  {
    file: 'sending/payout-store.ts',
    fault: 'what may have been paid is put into another file',
    find: 'and not is_held_back(outgoing_transfer) and not is_in_doubt(outgoing_transfer)\n             order by',
    replace: 'and not is_held_back(outgoing_transfer)\n             order by',
    noticedBy: doubts,
  },
  {
    file: 'sending/payout-store.ts',
    fault: 'a merchant takes back what may have been paid',
    find: "any(${from('withdraw')}) and not is_in_doubt(outgoing_transfer)",
    replace: "any(${from('withdraw')})",
    noticedBy: doubts,
  },
  {
    file: 'bank-files/download-payment-file.ts',
    fault: 'a file is given out although the bank has booked something that names a payment of it',
    find: 'if (inDoubt.size > 0) throw',
    replace: 'if (inDoubt.size > 99) throw',
    noticedBy: doubts,
  },
  {
    file: 'bank-files/download-payment-file.ts',
    fault: 'a file is given out although a payment of it was paid or refused',
    find: 'if (decided.length > 0) throw',
    replace: 'if (decided.length > 99) throw',
    noticedBy: doubts,
  },
  {
    file: 'bank-files/download-payment-file.ts',
    fault: 'a file with a payment of a suspended merchant is given out',
    find: 'if (held.length > 0) throw',
    replace: 'if (held.length > 99) throw',
    noticedBy: fates,
  },
  {
    file: 'watching/assign-movement.ts',
    fault: 'what waits to be sent is said to be a booking that does not name it',
    find: '(payout.txHash === null && !movement.about.includes(id))',
    replace: '(payout.txHash === null && movement.about.length === 0)',
    noticedBy: doubts,
  },
  {
    file: 'bank-files/make-payment-file.ts',
    fault: 'a payment that is in another file is written into this one too',
    find: 'if (!stored) throw new TakenByOthers();',
    replace: 'if (stored === undefined) throw new TakenByOthers();',
    noticedBy: files,
  },
  {
    file: 'bank-files/make-payment-file.ts',
    fault: 'what can never be paid is written into a file',
    find: 'return problem === null ? [] : [new SendRefused(payout.id, problem.sentence)];',
    replace: "return problem !== '' ? [] : [new SendRefused(payout.id, problem)];",
    noticedBy: fates,
  },
  {
    file: 'bank-files/download-payment-file.ts',
    fault: 'a file is given a second time without asking',
    find: 'if (downloads > 0 && !isAgain)',
    replace: 'if (downloads > 1 && !isAgain)',
    noticedBy: files,
  },
  {
    file: 'bank-files/download-payment-file.ts',
    fault: 'a file that was declared void is given out',
    find: "if (file.state === 'VOID' || file.state === 'VOID_DECLARED') throw fileIsVoid();",
    replace: "if (file.state === 'VOID') throw fileIsVoid();",
    noticedBy: files,
  },
  {
    file: 'bank-files/void-payment-file.ts',
    fault: 'a file that was downloaded is given up without a declaration',
    find: 'if (isSeen && !isDeclared) throw declarationNeeded();',
    replace: '',
    noticedBy: files,
  },
  {
    file: 'bank-files/void-payment-file.ts',
    fault: 'a declaration is enough, and nobody looks at the statements',
    find: 'if (isSeen) await declareOrdersVoid(tx, network, id, at);',
    replace: 'if (isSeen) await voidOrders(tx, network, id, at);',
    noticedBy: files,
  },
  {
    file: 'bank-files/refuse-payment.ts',
    fault: 'who asked for a payment that was refused is not told',
    find: 'await enqueue(tx, [advanceJob(refused, at)]);',
    replace: 'await enqueue(tx, []);',
    noticedBy: files,
  },
  {
    file: 'bank-files/forget-payment-files.ts',
    fault: 'a file is forgotten while the bank has not decided about it',
    find: 'ids.filter((id) => !unended.has(id))',
    replace: 'ids.filter((id) => !unended.has(`${id}?`))',
    noticedBy: fates,
  },
  {
    file: 'finding/bank-needs.ts',
    fault: 'a file of which nothing is heard is told to nobody',
    find: 'isOver(voidAt ?? downloadedAt ?? madeAt, unbookedDays)',
    replace: 'isOver(voidAt ?? downloadedAt ?? madeAt, unbookedDays * 9)',
    noticedBy: fates,
  },
  {
    file: 'bank-files/payment-file-words.ts',
    fault: 'nobody is warned that more shall be paid than there is',
    find: 'openUnits <= closingUnits',
    replace: 'openUnits <= closingUnits * 2n',
    noticedBy: 'server/src/bank-files/payment-file-words.test.ts',
  },
];
