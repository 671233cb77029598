/** A bank with a clock of its own, for tests of what it writes; and one at which everything has happened once. */
import { type BankDeeds, createBankDeeds } from './bank-deeds.ts';
import { type BankLedger, openBankLedger } from './bank-ledger.ts';
import { customers, dollarAccount, euroAccount } from './bank-parties.ts';

export type Bank = BankDeeds & { readonly ledger: BankLedger; advance(hours: number): void };

export function openBank(): Bank {
  let now = Date.parse('2026-11-18T09:00:00Z');
  const ledger = openBankLedger([euroAccount, dollarAccount]);
  const deeds = createBankDeeds(ledger, () => new Date(now), { drop: () => undefined });
  return {
    ...deeds,
    ledger,
    advance(hours) {
      now += hours * 3_600_000;
    },
  };
}

/** One of everything. */
export function busyBank(): Bank {
  const bank = openBank();
  bank.moveOwn(1_000_000n);
  const paid = bank.pay({ units: 1_999n, text: 'Rechnung 7 ä€', reference: 'RF18539007547034', endToEndId: 'NR-7' });
  bank.payTogether(customers.slice(0, 4).map((from, at) => ({ units: BigInt(at + 1), from, text: `Nr. ${at}` })));
  bank.pay({ units: 5n, by: 'instant' });
  bank.charge(90n);
  bank.payInterest(4n);
  bank.debit(300n);
  bank.correct(paid);
  bank.advance(24);
  bank.answerRecall(bank.recall(bank.pay({ units: 11n })), true);
  bank.pay({ units: 12n, booked: 'next day' });
  return bank;
}
