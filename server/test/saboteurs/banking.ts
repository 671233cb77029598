/** What is written for banks, and whom their bookings are for. */
import type { Saboteur } from './saboteur.ts';

const matching = 'server/src/networks/families/bank/match-reference.test.ts';
const files = 'server/src/networks/families/bank/write-payment-file.test.ts';
const destinations = 'server/src/networks/families/bank/bank-destination.test.ts';
const days = 'server/src/networks/families/bank/banking-days.test.ts';
const codes = 'server/src/networks/families/bank/epc-code.test.ts';
const brCodes = 'server/src/networks/pix/br-code.test.ts';
const payers = 'server/src/networks/payer-instructions.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/bank/match-reference.ts',
    fault: 'a booking that names two targets goes to the first',
    find: 'return others.length === 0',
    replace: 'return others.length >= 0',
    noticedBy: matching,
  },
  {
    file: 'networks/families/bank/match-reference.ts',
    fault: 'a reference that is spelt exactly could still be its twin',
    find: 'return exact.length > 0 ? exact : alike;',
    replace: 'return exact.length > 99 ? exact : alike;',
    noticedBy: matching,
  },
  {
    file: 'networks/families/bank/match-reference.ts',
    fault: 'a reference that was cut by a line is not found',
    find: ".join('')\n    .slice",
    replace: ".join('x')\n    .slice",
    noticedBy: matching,
  },
  {
    file: 'networks/families/bank/rf-reference.ts',
    fault: 'a reference with wrong check digits is right',
    find: '=== 1;',
    replace: '>= 0;',
    noticedBy: matching,
  },
  {
    file: 'networks/families/bank/write-payment-file.ts',
    fault: 'the sum of a payment file is that of its last payment',
    find: 'total + units, 0n',
    replace: 'units + total * 0n, 0n',
    noticedBy: files,
  },
  {
    file: 'networks/families/bank/write-payment-file.ts',
    fault: 'a payment is twice in a file',
    find: 'new Set(ids).size < ids.length',
    replace: 'new Set(ids).size > ids.length',
    noticedBy: files,
  },
  {
    file: 'networks/families/bank/write-payment-file.ts',
    fault: 'over SWIFT the payee pays all fees where the payer should',
    find: "payer: 'DEBT'",
    replace: "payer: 'CRED'",
    noticedBy: files,
  },
  {
    file: 'networks/families/bank/bank-destination.ts',
    fault: 'a misspelt IBAN goes out as a number that nobody checks',
    find: "if (looksLikeIban(number)) return 'This looks",
    replace: "if (number.length > 99) return 'This looks",
    noticedBy: files,
  },
  {
    file: 'networks/families/bank/payee-destination.ts',
    fault: 'an account that has an IBAN is paid by a number that nobody checks',
    find: 'withIban = hasIbans(country) ?',
    replace: "withIban = country === '' ?",
    noticedBy: 'server/test/swift-checkout.test.ts',
  },
  {
    file: 'networks/families/bank/traced-payer.ts',
    fault: 'what was paid from a number goes back to nobody',
    find: 'const address = iban ?? number;',
    replace: 'const address = iban;',
    noticedBy: 'server/test/swift-checkout.test.ts',
  },
  {
    file: 'networks/families/bank/traced-payer.ts',
    fault: 'who paid is called unknown where only our own address is missing',
    find: '?? all[0] ?? null',
    replace: '?? null',
    noticedBy: 'server/test/sepa-checkout.test.ts',
    test: 'what cannot go back',
  },
  {
    file: 'counterparties/beneficiary-fields.ts',
    fault: 'whoever approves a transfer reads the name of its beneficiary turned around',
    find: ', ...hidden] };',
    replace: '] };',
    noticedBy: 'server/test/destinations.test.ts',
    test: 'a name that would be read',
  },
  {
    file: 'counterparties/find-holder.ts',
    fault: 'a destination that no bank takes is kept, and fails when a file is made',
    find: 'const problem = isWrong ? null :',
    replace: "const problem = isWrong || holder.name !== '' ? null :",
    noticedBy: 'server/test/swift-checkout.test.ts',
  },
  {
    file: 'networks/families/bank/payment-problem.ts',
    fault: 'a negative amount can be paid',
    find: 'units > 0n &&',
    replace: 'units !== 0n &&',
    noticedBy: files,
  },
  {
    file: 'networks/families/bank/bank-destination.ts',
    fault: 'every account of the world can be paid by SEPA',
    find: 'problem !== null || isInSepa(countryOfIban(text))',
    replace: "problem !== null || countryOfIban(text) !== ''",
    noticedBy: destinations,
  },
  {
    file: 'networks/families/bank/banking-days.ts',
    fault: 'banks are open on Easter Monday',
    find: 'day !== addDays(easter, 1)',
    replace: 'day !== addDays(easter, 0)',
    noticedBy: days,
  },
  {
    file: 'networks/families/bank/epc-code.ts',
    fault: 'a code for banking apps asks for a part of the cents',
    find: "compare(due, roundTo(due, 2, 'down')) === 0",
    replace: "compare(due, roundTo(due, 2, 'down')) >= 0",
    noticedBy: codes,
  },
  {
    file: 'networks/families/bank/bank-payer.ts',
    fault: 'a payer is shown the BIC of a bank that has not the account',
    find: 'bic !== null && plainIban(address) === plainIban(iban) ?',
    replace: "bic !== null && address !== '' && iban !== '' ?",
    noticedBy: payers,
  },
  {
    file: 'networks/pix/br-code.ts',
    fault: 'a BR Code with a wrong character is read',
    find: "crc16(signed[1] ?? '') !== signed[2]?.toUpperCase()",
    replace: 'signed[2] === undefined',
    noticedBy: brCodes,
  },
];
