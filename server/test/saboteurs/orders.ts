/** What people order: transfers, swaps, destinations, and forms that are sent twice. */
import type { Saboteur } from './saboteur.ts';

const noticedBy = 'server/test/account-transfers.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'wallets/cancel-transfer.ts',
    fault: 'what was approved a moment ago is refused',
    find: "if (wish === 'refuse' && state !== 'AWAITING_APPROVAL')",
    replace: "if (wish === 'refuse' && state === 'COMPLETED')",
    noticedBy,
    test: 'what another approves in the same moment',
  },
  {
    file: 'account/money/new-transfer-routes.ts',
    fault: 'any proof of who it is sends money',
    find: '      order: orderOfTransfer,\n',
    replace: '',
    noticedBy,
    test: 'a proof of another order sends nothing',
  },
  {
    file: 'account/money/new-transfer-routes.ts',
    fault: 'what an accountant prepares needs nobody',
    find: "if (grant === 'prepare') return { approval: 'always' };",
    replace: 'void grant;',
    noticedBy,
    test: 'an accountant prepares',
  },
  {
    file: 'account/money/new-transfer-routes.ts',
    fault: 'a code asks for what others must approve',
    find: "return signedIn.person.passkeys > 0 ? {} : { approval: 'never' };",
    replace: 'void signedIn;\n  return {};',
    noticedBy,
    test: 'a code of an app sends what needs no approval',
  },
  {
    file: 'wallets/create-transfer.ts',
    fault: 'the fee may be higher than what was shown',
    find: 'if (feeUnitsMax !== undefined && feeUnitsOf(quote) > feeUnitsMax)',
    replace: 'if (feeUnitsMax === -1n)',
    noticedBy,
    test: 'a fee above what was shown',
  },
  {
    file: 'account/frame/send-once.ts',
    fault: 'a form forgets what it did',
    find: '        await remember(tx, done);\n',
    replace: '',
    noticedBy,
    test: 'one form makes one transfer',
  },
  {
    file: 'account/money/destinations-routes.ts',
    fault: 'any proof of who it is adds a destination',
    find: '      order: orderOfDestination,\n',
    replace: '',
    noticedBy,
    test: 'a destination is signed',
  },
  {
    file: 'account/money/swapping-routes.ts',
    fault: 'any proof of who it is swaps',
    find: '      order: orderOfSwap,\n',
    replace: '',
    noticedBy: 'server/test/account-balances.sampled.test.ts',
    test: 'a price holds for a minute',
  },
];
