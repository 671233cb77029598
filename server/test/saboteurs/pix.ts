/** What a bank's list says, and what must not be believed of it. */
import type { Saboteur } from './saboteur.ts';

const rules = 'server/src/networks/pix/received-pix.test.ts';
const provider = 'server/test/networks/pix-provider.test.ts';

export const saboteurs: readonly Saboteur[] = [
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
];
