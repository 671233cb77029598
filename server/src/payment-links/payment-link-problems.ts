/** What is wrong with a new payment link beyond its form. Works on whatever could be read, as for checkouts. */
import type { PaymentLinkBody } from '@quittance/contract/payment-link';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { checkoutProblems } from '../checkouts/checkout-problems.ts';
import type { Query } from '../db/database.ts';
import type { PartlyRead } from '../http/route.ts';
import { type Problem, told } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { decimal, isLess } from '../money/decimal.ts';

export async function paymentLinkProblems(
  deps: { readonly db: Query; readonly assets: AssetCatalog },
  merchant: Merchant,
  body: PartlyRead<PaymentLinkBody>,
): Promise<Problem[]> {
  return [...currencyProblems(body), ...amountProblems(body), ...(await checkoutProblems(deps, merchant, body))];
}

function currencyProblems({ currency }: PartlyRead<PaymentLinkBody>): string[] {
  if (currency === undefined || findCurrency(currency)?.isBilled) return [];
  return [`currency must be a billing currency of GET /currencies, but is ${JSON.stringify(currency)}.`];
}

/** A price that is printed must be one that can be paid: nothing of it is rounded. */
function amountProblems(body: PartlyRead<PaymentLinkBody>): Problem[] {
  const { currency = '', amount, amountMin, amountMax, signedOnly = false } = body;
  const most = findCurrency(currency)?.decimals;
  const given = [
    ['amount', amount],
    ['amountMin', amountMin],
    ['amountMax', amountMax],
  ] as const;
  return [
    ...given.flatMap(([name, text]) => {
      if (text === undefined) return [];
      const { digits, scale } = decimal(text);
      if (digits <= 0n) return [told('amount_not_positive', `${name} must be greater than zero.`)];
      if (most === undefined || scale <= most) return [];
      const facts = { currency, most: String(most) };
      return [told('amount_currency_decimals', `${name} in ${currency} has at most ${most} decimals.`, facts)];
    }),
    ...(amount !== undefined && (amountMin !== undefined || amountMax !== undefined || signedOnly)
      ? ['amount is fixed, so amountMin, amountMax and signedOnly must be left out.']
      : []),
    ...(signedOnly && (amountMin !== undefined || amountMax !== undefined)
      ? ['signedOnly lets the signature say the amount, so amountMin and amountMax must be left out.']
      : []),
    ...(amountMin !== undefined && amountMax !== undefined && isLess(decimal(amountMax), decimal(amountMin))
      ? [told('link_limits_crossed', 'amountMax must not be less than amountMin.')]
      : []),
  ];
}
