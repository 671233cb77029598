/** What a charge comes to, by the rule of the API, exactly: the server finds the same. Nothing is rounded. */
import type { DecimalInput } from './contract.ts';

export type ChargeToTotal = {
  readonly lineItems: readonly {
    readonly netAmount: DecimalInput;
    readonly quantity?: DecimalInput | null | undefined;
  }[];
  readonly discountItems?: readonly { readonly netAmount?: DecimalInput | null | undefined }[] | null | undefined;
  readonly shippingCostItems?:
    | readonly { readonly netAmount?: DecimalInput | null | undefined; readonly taxable?: boolean | null | undefined }[]
    | null
    | undefined;
  readonly taxItems?: readonly { readonly percent: DecimalInput }[] | null | undefined;
};

/** A whole number and how many of its digits are behind the point. */
type Decimal = { readonly digits: bigint; readonly scale: number };

const zero: Decimal = { digits: 0n, scale: 0 };

export function chargeTotal(charge: ChargeToTotal): string {
  const shippingItems = charge.shippingCostItems ?? [];
  const lines = sum(charge.lineItems.map((item) => times(read(item.netAmount), read(item.quantity ?? '1'))));
  const discounts = sum((charge.discountItems ?? []).map((item) => read(item.netAmount ?? '0')));
  const amounts = shippingItems.map((item) => read(item.netAmount ?? '0'));
  const taxed = amounts.filter((_, at) => shippingItems[at]?.taxable === true);
  const rates = sum((charge.taxItems ?? []).map((item) => read(item.percent)));

  const goods = plus(lines, negative(discounts));
  const net = plus(goods, sum(amounts));
  const taxable = plus(goods, sum(taxed));
  return write(plus(net, times(taxable, rates)));
}

function read(value: DecimalInput): Decimal {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  if (whole === '') throw new TypeError(`${JSON.stringify(value)} is no decimal in plain notation, such as "19.99".`);
  return { digits: BigInt(`${sign}${whole}${decimals}`), scale: decimals.length };
}

const negative = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });
const times = (a: Decimal, b: Decimal): Decimal => ({ digits: a.digits * b.digits, scale: a.scale + b.scale });
const sum = (all: readonly Decimal[]): Decimal => all.reduce(plus, zero);

function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const at = (each: Decimal): bigint => each.digits * 10n ** BigInt(scale - each.scale);
  return { digits: at(a) + at(b), scale };
}

function write({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const point = text.length - scale;
  const decimals = text.slice(point).replace(/(?<!0)0+$/, '');
  return `${sign}${text.slice(0, point)}${decimals === '' ? '' : `.${decimals}`}`;
}
