/** What changed holdings and is no payment: fees, interest, own transfers, and what nobody can explain. */
import { findToldBooking } from '@quittance/server/bank-files/document-list-store';
import type { Db } from '@quittance/server/db/database';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { listMovements, listOpenMovements, type Movement } from '@quittance/server/payments/movement-store';
import { inOperatorsLog } from '@quittance/server/people/in-operators-log';
import { assignMovement, movementMeanings } from '@quittance/server/watching/assign-movement';
import { type Command, command, UsageError } from '../command-line.ts';
import { amountText, assetCode, textTable } from '../text-table.ts';

const shown = 200;
const nameOf = (meaning: string): string => meaning.toLowerCase().replaceAll('_', '-');

/** Of the payments that were taken back, where a document tells of them: what they were for, by the ids of the movements. */
async function ownersOf(db: Db, movements: readonly Movement[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const { id, network, txHash } of movements) {
    const told = txHash === null ? null : await findToldBooking(db, network, txHash);
    if (told) owners.set(id, told.ownerId ?? told.unmatchedId ?? '');
  }
  return owners;
}

export const movementCommands: readonly Command[] = [
  command({
    name: 'movement list',
    summary: 'List what moved at banks and is no payment, and what of it nobody can explain.',
    details:
      'At most 200. Without --all only what waits for you: it is in suspense, and no money of your own leaves against it.',
    options: {
      all: { meaning: 'Also what is explained, the newest first.' },
      after: { value: 'movementId', meaning: 'Those that came after this one: the next page.' },
    },
    examples: ['movement list', 'movement list --all'],
    async run({ withDatabase }, _, { all, after = null }) {
      const [movements, owners] = await withDatabase(async (db) => {
        const found = await (all ? listMovements(db, shown) : listOpenMovements(db, after));
        return [found, await ownersOf(db, found)] as const;
      });
      const data = movements.map(({ id, network, kind, key, asset, units, openUnits, note, seenAt, ...rest }) => ({
        id,
        network,
        kind,
        key,
        asset,
        note,
        seenAt,
        amount: amountText(units, asset),
        open: amountText(openUnits, asset),
        payment: rest.txHash === null ? null : `${rest.txHash}:${rest.txIndex}`,
        assignedAs: rest.assignedAs,
        assignedTo: rest.assignedTo,
      }));
      const rows = data.map(({ id, network, kind, amount, open, asset, payment, note, seenAt, assignedAs }) => [
        ...[
          id,
          network,
          kind,
          `${amount} ${assetCode(asset)}`,
          open,
          owners.get(id) ?? payment ?? '',
          note ?? '',
          seenAt,
          assignedAs ?? '',
        ],
      ]);
      const head = ['MOVEMENT', 'NETWORK', 'KIND', 'AMOUNT', 'OPEN', 'PAYMENT', 'NOTE', 'SEEN', 'EXPLAINED AS'];
      return { data, text: textTable(head, rows) };
    },
  }),
  command({
    name: 'movement assign',
    summary: 'Say what a movement was that nobody could explain.',
    details:
      'Payouts are named by their ids, with commas between; what left beyond them stays open, and is a fee. A payment that was taken back is named by the ' +
      'id of its checkout or deposit, or of what waits under Suspense, or as the network calls it; what the movement takes beyond it stays open.',
    arguments: ['movementId'],
    options: {
      as: { value: movementMeanings.map(nameOf).join('|'), meaning: 'What it was.' },
      of: { value: 'name', meaning: 'The payout, or the payment that was taken back.' },
      declare: { meaning: 'I declare that none of the payouts that it names was paid by it.' },
    },
    examples: [
      'movement assign c81k2mz09qal --as fee',
      'movement assign c81k2mz09qal --as payout --of 8fk2m1x0c3ab',
      'movement assign c81k2mz09qal --as reversal --of k2m9c0x3ab1f',
    ],
    async run({ withDatabase }, { movementId: id }, { as: name, of = null, declare: isDeclared }) {
      const as = movementMeanings.find((each) => nameOf(each) === name);
      if (!as) throw new UsageError(`Say what it was: --as ${movementMeanings.map(nameOf).join(', ')}.`);
      const { openUnits, asset } = await withDatabase((db) => {
        const begin = inOperatorsLog({ db, clock }, 'movement.assigned', { id, as, of: of ?? '' });
        return assignMovement({ clock }, id, { as, of }, { actor: 'operator', begin, isDeclared });
      });
      const amount = `${amountText(openUnits, asset)} ${assetCode(asset)}`;
      return { data: { movementId: id, as, of, amount }, text: `${amount} are booked as ${nameOf(as)}.` };
    },
  }),
];
