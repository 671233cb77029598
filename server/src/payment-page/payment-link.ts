/**
 * What a wallet opens or scans. The link is for a click, the code for a camera: there a bech32 address is in upper
 * case (BIP-173). The name of the parameter stays in lower case, because wallets compare it literally.
 */
import { decimal, toUnits } from '../money/decimal.ts';
import type { Sep7 } from '../networks/port/definition.ts';

export type PaymentLink = {
  /** Null where a network has no link that wallets agree on. */
  readonly href: string | null;
  readonly qrText: string;
};

const schemes: Readonly<Record<string, string>> = { BITCOIN: 'bitcoin', LITECOIN: 'litecoin' };

const bech32 = /^[a-z]{2,5}1[02-9ac-hj-np-z]+$/;

export type LinkedPayment = {
  readonly network: string;
  readonly address: string;
  readonly amount: string;
  readonly eip681?: Eip681 | null;
  readonly assetCode?: string;
  readonly memo?: string | null;
  readonly sep7?: Sep7 | null;
  /** An invoice over the same amount: one link and one code then serve both kinds of wallets (BIP-321). */
  readonly lightning?: string | null;
};

/** Where an asset is paid by a link of EIP-681: on which chain, by which contract (null: the chain's own coin). */
export type Eip681 = { readonly chainId: number; readonly contract: string | null; readonly scale: number };

export function paymentLink(pay: LinkedPayment): PaymentLink {
  if (pay.network === 'LIGHTNING') return invoiceLink(pay.address);
  if (pay.eip681) return eip681Link(pay, pay.eip681);
  if (pay.sep7) return sep7Link(pay, pay.sep7);
  const scheme = schemes[pay.network];
  if (scheme === undefined) return { href: null, qrText: pay.address };
  const target = `${scheme}:${pay.address}`;
  const query = `?amount=${pay.amount}`; // BIP-321: in whole coins, as a plain decimal
  const invoice = pay.lightning ?? null;
  const link = (uri: string, lightning: string | null): string =>
    lightning === null ? `${uri}${query}` : `${uri}${query}&lightning=${lightning}`;
  return {
    href: link(target, invoice),
    qrText: link(bech32.test(pay.address) ? target.toUpperCase() : target, invoice?.toUpperCase() ?? null),
  };
}

/** An invoice says its amount itself. In upper case a code needs fewer modules, and a wallet reads it all the same. */
const invoiceLink = (invoice: string): PaymentLink => {
  const href = `lightning:${invoice}`;
  return { href, qrText: href.toUpperCase() };
};

/** EIP-681, in whole units of the chain. A token is paid by a call of its contract, so that is where the link points. */
function eip681Link({ address, amount }: LinkedPayment, { chainId, contract, scale }: Eip681): PaymentLink {
  const units = toUnits(decimal(amount), scale, 'up');
  const href =
    contract === null
      ? `ethereum:${address}@${chainId}?value=${units}`
      : `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`;
  return { href, qrText: href };
}

/** SEP-7. A link that leaves out the memo would be worse than none, and one for a test network must say so. */
function sep7Link(
  { address, amount, assetCode, memo }: LinkedPayment,
  { issuer, passphrase, sign }: Sep7,
): PaymentLink {
  const parameters = [
    ['destination', address],
    ['amount', amount],
    ...(issuer === null ? [] : [['asset_code', assetCode ?? ''] as const, ['asset_issuer', issuer] as const]),
    ...(memo ? [['memo', memo] as const, ['memo_type', 'MEMO_TEXT'] as const] : []),
    ...(passphrase === null ? [] : [['network_passphrase', passphrase] as const]),
  ];
  const link = `web+stellar:pay?${parameters.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
  const href = sign ? sign(link) : link;
  return { href, qrText: href };
}
