/** What a bank's list says, and what must not be believed of it. */
import type { Saboteur } from './saboteur.ts';

const rules = 'server/src/networks/pix/received-pix.test.ts';
const provider = 'server/test/networks/pix-provider.test.ts';
const returns = 'server/test/networks/pix-returns.test.ts';
const refunds = 'server/test/pix-refunds.test.ts';
const conformance = 'server/test/networks/pix.conformance.test.ts';
const kill = 'server/test/pix-kill.deep.test.ts';
const checkout = 'server/test/pix-checkout.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'watching/store-observed.ts',
    fault: 'what we gave back ourselves is taken from the merchant once more',
    find: 'signedAs === undefined || !own.has(signedAs)',
    replace: "signedAs !== ''",
    noticedBy: refunds,
    test: 'refunded whole',
  },
  {
    file: 'sending/outgoing-transaction-store.ts',
    fault: 'what was said to have failed, and has left, is nobody’s loss',
    find: "tx_hash = any(${hashes}) and state in ('OPEN', 'INCLUDED', 'DONE')`;",
    replace: 'tx_hash = any(${hashes})`;',
    noticedBy: refunds,
    test: 'has left after all',
  },
  {
    file: 'refunds/payer-account.ts',
    fault: 'what several payments brought is asked back of one',
    find: 'each.units >= units',
    replace: 'each.units > 0n',
    noticedBy: refunds,
    test: 'paid twice',
  },
  {
    file: 'networks/pix/returnable-pix.ts',
    fault: 'a return has failed because another one, that may not happen, is on its way',
    find: "status === 'DEVOLVIDO'",
    replace: "status !== 'NAO_REALIZADO'",
    noticedBy: returns,
    test: 'until that is certain',
  },
  {
    file: 'networks/pix/pix-return-order.ts',
    fault: 'the same payout asks for another return each time',
    find: '`quittance pix return ${payoutId}`',
    replace: '`quittance pix return ${payoutId} ${Math.random()}`',
    noticedBy: returns,
    test: 'for ever',
  },
  {
    file: 'networks/pix/follow-returns.ts',
    fault: 'a return that is being done has gone',
    find: "if (status === 'EM_PROCESSAMENTO') return null;\n  if (status === 'DEVOLVIDO')",
    replace: "if (status !== 'NAO_REALIZADO')",
    noticedBy: returns,
    test: 'when the bank says so',
  },
  {
    file: 'networks/pix/pix-sender.ts',
    fault: 'a name that was used before keeps a return from being asked for',
    find: 'if (!(error instanceof PixRefusal) || !(await isThere(order))) throw error;',
    replace: 'throw error;',
    noticedBy: returns,
    test: 'goes once',
  },
  {
    file: 'networks/pix/received-pix.ts',
    fault: 'what was only asked to go back has gone',
    find: "returns.filter(({ status }) => status === 'DEVOLVIDO')",
    replace: "returns.filter(({ status }) => status !== 'NAO_REALIZADO')",
    noticedBy: rules,
  },
  {
    file: 'networks/pix/received-pix.ts',
    fault: 'more is taken back than was paid',
    find: 'if (total > units)',
    replace: 'if (total > units + 1n)',
    noticedBy: rules,
  },
  {
    file: 'networks/pix/pix-amount.ts',
    fault: 'an amount with more digits than the interface has is read',
    find: '\\d{1,10}',
    replace: '\\d+',
    noticedBy: rules,
  },
  {
    file: 'networks/pix/pix-listing.ts',
    fault: 'a list that is shorter than the bank counts is taken for whole',
    find: 'all.size >= found.total',
    replace: 'all.size >= 0',
    noticedBy: provider,
  },
  {
    file: 'networks/pix/pix-listing.ts',
    fault: 'two different Pix by one name are not noticed',
    find: 'if (known && !isSamePayment(known, pix))',
    replace: 'if (known && !isSamePayment(pix, pix))',
    noticedBy: provider,
  },
  {
    file: 'networks/pix/pix-cursor.ts',
    fault: 'a bank whose bookings have the time of another zone is not read',
    find: 'Math.max(Math.min(newest, readTo), readTo - quietMs)',
    replace: 'Math.max(readTo, newest)',
    noticedBy: provider,
  },
  {
    file: 'networks/pix/pix-charge.ts',
    fault: 'a code is shown that pays somebody else',
    find: 'if (charge.chave !== receiver.key)',
    replace: "if (charge.chave === '')",
    noticedBy: provider,
  },
  {
    file: 'networks/pix/pix-charge.ts',
    fault: 'a code is shown that asks for another amount',
    find: 'if (readCentavos(charge.valor?.original) !== readCentavos(original))',
    replace: 'if (readCentavos(charge.valor?.original) === undefined)',
    noticedBy: provider,
  },
  {
    file: 'networks/pix/pix-look.ts',
    fault: 'what went back months ago is not looked for',
    find: 'export const reversibleMs = 120 * day;',
    replace: 'export const reversibleMs = 12 * day;',
    noticedBy: provider,
  },
  {
    file: 'networks/pix/received-pix.ts',
    fault: 'all that went back of a Pix has one name',
    find: 'reversalId: returnId,',
    replace: 'reversalId: endToEndId,',
    noticedBy: conformance,
  },
  {
    file: 'networks/pix/pix.ts',
    fault: 'what went back of a Pix is told at every look',
    find: 'cursor: { ...cursor, told: late }',
    replace: 'cursor: { ...cursor, told: [] }',
    noticedBy: conformance,
  },
  {
    file: 'networks/pix/pix.ts',
    fault: 'a price in dollars is paid over Pix, and may be taken back for months at another rate',
    find: '  takesOwnCurrencyOnly: true,\n',
    replace: '',
    noticedBy: checkout,
    test: 'charges in reais, credited',
  },
  {
    file: 'checkouts/commit-checkout.ts',
    fault: 'who asks again because the answer was lost gets another code',
    find: '  if (already && !isOutdated)',
    replace: '  if (already && !isOutdated && !already)',
    noticedBy: kill,
    test: 'has one code',
  },
];
