/**
 * What somebody needs to pay by bank: each field as banking apps ask for it, to be copied one by one, and in SEPA the code that
 * fills in all of them. The address of a target is the account's IBAN, its memo is the reference.
 */
import { isLess, parseDecimal, zero } from '../../../money/decimal.ts';
import type { PaidAccount } from '../../port/definition.ts';
import {
  type PayerField,
  type PayerInstructions,
  type PayerRequest,
  plainInstructions,
} from '../../port/payer-instructions.ts';
import { payerTexts } from './bank-payer-texts.ts';
import { epcCode, epcCodeProblem } from './epc-code.ts';
import { plainIban } from './iban.ts';

/** The operator's account, as it is configured. */
export type ReceivingAccount = {
  readonly scheme: 'sepa' | 'swift';
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
};

/** A checkout keeps the account that it was given, though the operator may have another one at another bank by now. */
export const paidAccount =
  ({ name, iban, bic }: ReceivingAccount) =>
  (address: string): PaidAccount => ({
    holder: name,
    bic: bic !== null && plainIban(address) === plainIban(iban) ? plainIban(bic) : null,
  });

export const bankInstructions =
  (account: ReceivingAccount) =>
  (request: PayerRequest): PayerInstructions => {
    const iban = plainIban(request.address);
    const { bic } = paidAccount(account)(iban);
    return {
      ...plainInstructions(request),
      link: { href: null, qrText: codeOf({ ...account, iban, bic }, request) },
      fields: [
        field('recipient', account.name, 'words'),
        field('iban', iban, 'code'),
        ...(bic === null ? [] : [field('bic', bic, 'code')]),
        ...(request.memo === null ? [] : [field('reference', request.memo, 'code')]),
      ],
      target: 'account',
      isPaidFromExchanges: false,
      takes: payerTexts[account.scheme],
    };
  };

const field = (
  name: 'recipient' | 'iban' | 'bic' | 'reference',
  value: string,
  form: PayerField['form'],
): PayerField => ({
  name: payerTexts[name],
  shortName: payerTexts[name],
  value,
  form,
  hint: name === 'reference' ? payerTexts.referenceHint : null,
});

/** Only SEPA has one that apps agree on. Without an amount, the payer types it. */
function codeOf({ scheme, name, iban, bic }: ReceivingAccount, { amount, memo }: PayerRequest): string | null {
  const due = parseDecimal(amount);
  const content = {
    name,
    iban,
    bic,
    amount: due && isLess(zero, due) ? amount : null,
    remittance: { text: memo ?? '' },
  };
  return scheme === 'sepa' && epcCodeProblem(content) === null ? epcCode(content) : null;
}
