/** Whoever asked for an account has opened the link in the e-mail: the address is theirs. From now on the operator is asked. */
import type { Tx } from '../db/database.ts';
import type { OneTimeLink } from './one-time-link-store.ts';
import { linkNotGood, signUpsFull } from './people-errors.ts';
import { signUpStates } from './sign-up-state.ts';
import { countWaitingSignUps, findOpenSignUp, lockSignUps, proveSignUpRow } from './sign-up-store.ts';

/** As many as an operator can be expected to read. */
export const waitingSignUpsMax = 200;

export async function proveSignUp(tx: Tx, { email }: OneTimeLink, personId: string): Promise<void> {
  await lockSignUps(tx);
  const signUp = email === null ? undefined : await findOpenSignUp(tx, email);
  if (!signUp) throw linkNotGood();
  if ((await countWaitingSignUps(tx)) >= waitingSignUpsMax) throw signUpsFull();
  const move = { from: signUpStates.from('prove'), to: signUpStates.to('prove') };
  if (!(await proveSignUpRow(tx, signUp.id, move, personId))) throw linkNotGood();
}
