import { systemClock as clock } from '@quittance/server/lib/clock';
import { approveSignUp, refuseSignUp } from '@quittance/server/people/decide-sign-up';
import { inOperatorsLog } from '@quittance/server/people/in-operators-log';
import { listWaitingSignUps } from '@quittance/server/people/sign-up-store';
import { type Command, command } from '../command-line.ts';
import { textTable } from '../text-table.ts';

/** The name under which the audit log has these commands. */
const actor = 'operator';

export const signUpCommands: readonly Command[] = [
  command({
    name: 'sign-up list',
    summary: 'List who has asked for an account and waits for your yes; oldest first.',
    details: 'People can ask where SIGN_UP is open. Their e-mail address is proven; the name of the business is not.',
    examples: ['sign-up list'],
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const waiting = await listWaitingSignUps(db);
        const data = waiting.map(({ id, business, email, name, askedAt }) => ({ id, business, email, name, askedAt }));
        const rows = data.map((each) => [each.id, each.business, each.email, each.name, each.askedAt.toISOString()]);
        return { data, text: textTable(['ID', 'BUSINESS', 'E-MAIL', 'NAME', 'ASKED'], rows) };
      }),
  }),
  command({
    name: 'sign-up approve',
    summary: 'Open the account that somebody has asked for; they own it and are told by e-mail.',
    arguments: ['id'],
    examples: ['sign-up approve 4cq0zr1lbdk9'],
    async run({ withDatabase, openEncryption }, { id }) {
      const encryption = await openEncryption();
      const { merchantId, signUp } = await withDatabase((db) =>
        approveSignUp({ db, clock, encryption }, id, actor, inOperatorsLog({ db, clock }, 'sign_up.approved', { id })),
      );
      const { business, email } = signUp;
      return { data: { id, merchantId, email }, text: `${business} is open as ${merchantId}; ${email} owns it.` };
    },
  }),
  command({
    name: 'sign-up refuse',
    summary: 'Do not open the account that somebody has asked for; they are told by e-mail.',
    arguments: ['id'],
    examples: ['sign-up refuse 4cq0zr1lbdk9'],
    run: ({ withDatabase }, { id }) =>
      withDatabase(async (db) => {
        const { business, email } = await refuseSignUp(
          { db, clock },
          id,
          inOperatorsLog({ db, clock }, 'sign_up.refused', { id }),
        );
        return { data: { id, email }, text: `${business} is not opened; ${email} is told.` };
      }),
  }),
];
