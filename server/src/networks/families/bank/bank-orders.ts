/**
 * What leaves an account at a bank: payments in a file (pain.001) that the operator signs in the bank's portal. What an order is
 * called (`EndToEndId`) names its payout and its file, so that a payment that was written again is told from the first one.
 */
import { dayOf } from '../../../lib/local-day.ts';
import type { FiledPayout, FilingSender, OrderFileRequest, OrderProblem } from '../../port/orders.ts';
import type { Payout, SignedTransaction } from '../../port/sending.ts';
import { firstBankingDay } from './banking-days.ts';
import { countryOfBic, countryOfIban, looksLikeIban, plainIban } from './iban.ts';
import { type PaymentFrame, paymentProblem } from './payment-problem.ts';
import {
  type BankPayment,
  type PaymentFileVersion,
  type PaymentScheme,
  writePaymentFile,
} from './write-payment-file.ts';

export type FilingOptions = PaymentFrame & {
  readonly version: PaymentFileVersion;
  readonly timeZone: string;
};

/** What our own records keep of an order, beside what is in the file. */
export type OrderTold = { readonly units: string; readonly iban: string; readonly holder: string };

/** A portal shows them one by one to whoever signs, and few banks take more in one file. */
const ordersMost = 1_000;

export const orderId = (payoutId: string, fileId: string): string => `${payoutId}-${fileId}`.toUpperCase();

/** Banks give ids back in other cases, and with spaces where a line was broken. */
export const plainId = (id: string): string => id.replaceAll(/\s/g, '').toUpperCase();

/** What a file is called (`MsgId`), and by that we know its id again. */
const fileName = (id: string): string => `PAY-${id.toUpperCase()}`;

export const fileIdOf = (name: string): string => plainId(name).slice('PAY-'.length).toLowerCase();

/** Whether it could be one of ours: whether it is, only we can look up. */
export const isOrderId = (id: string): boolean => /^[A-Z0-9]{12}-[A-Z0-9]{12}$/.test(plainId(id));
/** Whose payment it is, also where the order itself is unknown, as after a database was restored. */
export const payoutIdOf = (id: string): string => plainId(id).slice(0, 12).toLowerCase();
export const isFileId = (name: string): boolean => /^PAY-[A-Z0-9]{12}$/.test(plainId(name));

export const unitsOfOrder = ({ raw }: { readonly raw: string }): bigint => BigInt((JSON.parse(raw) as OrderTold).units);

export function createFilingSender(options: FilingOptions): FilingSender {
  const { version, scheme, payer, currency, timeZone } = options;
  const assetCode = currency.code;

  /** Before there is a file any id will do: all have one length. */
  const problem = (payout: Payout): OrderProblem | null =>
    paymentProblem(options, paymentOf(scheme, payout, orderId(payout.id, payout.id)));

  function write({ id, createdAt, payouts }: OrderFileRequest) {
    const payments = payouts.map((payout) => paymentOf(scheme, payout, orderId(payout.id, id)));
    const today = dayOf(timeZone, createdAt);
    const isInstant = scheme.kind === 'sepa' && scheme.isInstant; // On every day of the week.
    const text = writePaymentFile({
      version,
      scheme,
      payer,
      currency,
      id: fileName(id),
      createdAt,
      executionDay: isInstant ? today : firstBankingDay(today),
      isBookedTogether: false,
      payments,
    });
    return {
      fileName: `${version.replaceAll('.', '-')}-${fileName(id)}.xml`,
      mediaType: 'application/xml',
      bytes: new TextEncoder().encode(text),
      orders: payouts.map((payout): SignedTransaction => {
        const { address, units, holder } = payout;
        const told: OrderTold = { units: String(units), iban: plainIban(address), holder: holder?.name ?? '' };
        return {
          txHash: orderId(payout.id, id),
          raw: JSON.stringify(told),
          uses: [],
          payoutIds: [payout.id],
          fee: { assetCode, units: 0n },
          trace: { file: id, payout: payout.id },
          // An instant payment is there when it is booked; any other may come back within three banking days.
          ...(!isInstant && { until: 'safe' }),
        };
      }),
    };
  }

  return {
    feeAssetCode: assetCode,
    // What a bank takes for a payment it books by itself, and only then anybody knows how much.
    estimateFee: async () => ({ assetCode, units: 0n }),
    files: { ordersMost, problem, write },
  };
}

/** Our own id stands in the text as well: of a payment that somebody asks about it is what they read out. */
function paymentOf(
  scheme: PaymentScheme,
  { address, units, holder, id: payoutId, text = '' }: FiledPayout,
  id: string,
): BankPayment {
  const { name = '', street = null, postCode = null, town = null, country = null, bic = null } = holder ?? {};
  const isIban = scheme.kind === 'sepa' || looksLikeIban(address);
  const lives = country ?? (isIban ? countryOfIban(address) : countryOfBic(bic ?? ''));
  return {
    id,
    units,
    holder: { name, address: town === null ? null : { street, house: null, postcode: postCode, town, country: lives } },
    account: isIban ? { iban: address } : { number: address },
    bic,
    intermediaryBic: null,
    remittance: { text: `${payoutId.toUpperCase()} ${text}` },
  };
}
