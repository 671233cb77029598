/**
 * Money goes back to whom it came from, if the bank said who that was: by the IBAN or, where there are none, the number. What else
 * was told goes with it as far as it is right.
 */
import { withoutHidden } from '../../../lib/hidden-characters.ts';
import type { TracedPayer } from '../../port/connector.ts';
import type { OrderProblem } from '../../port/orders.ts';
import type { Observation } from '../../port/receiving.ts';
import type { Destination } from '../../port/sending.ts';
import type { PartyAddress } from './bank-statement.ts';
import { latinLimits } from './latin-text.ts';

type PayerTold = Partial<Record<'name' | 'iban' | 'bic' | 'number', string | null>> & {
  readonly address?: PartyAddress;
};

/** Null: the bank did not say who it was, or from which account. */
export function tracedPayer(
  { payer }: Observation['trace'],
  problemOf: (destination: Destination) => OrderProblem | null,
): TracedPayer | null {
  const { name: told, iban, bic = null, number, address: lives } = (payer ?? {}) as PayerTold;
  const address = iban ?? number;
  const name = withoutHidden(told ?? '');
  if (name === '' || !address) return null;
  const nowhere = { street: null, postCode: null, town: null, country: null };
  // Banks tell longer ones than they take; what joined two letters may be left at the end.
  const cut = withoutHidden(Array.from(name).slice(0, latinLimits.name).join(''));
  const holders = [
    { ...nowhere, ...plainParts(lives), bic },
    { ...nowhere, bic },
    { ...nowhere, bic: null },
  ];
  const all = holders.map((each): TracedPayer => {
    const account = { address, memo: null, memoType: null, holder: { name: cut, ...each } };
    return { account, problem: problemOf(account) };
  });
  // What is missing with all that was told is missing without it too.
  return all.find(({ problem }) => problem === null) ?? all[0] ?? null;
}

const plainParts = (address: PartyAddress | undefined): Partial<PartyAddress> =>
  Object.fromEntries(Object.entries(address ?? {}).map(([part, text]) => [part, text && withoutHidden(text)]));
