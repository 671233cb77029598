/**
 * What a wallet opens or scans. The link is for a click, the code for a camera: there a bech32 address is in upper
 * case (BIP-173). The name of the parameter stays in lower case, because wallets compare it literally.
 */
export type PaymentLink = {
  /** Null where a network has no link that wallets agree on. */
  readonly href: string | null;
  readonly qrText: string;
};

const schemes: Readonly<Record<string, string>> = { BITCOIN: 'bitcoin', LITECOIN: 'litecoin' };

const bech32 = /^[a-z]{2,5}1[02-9ac-hj-np-z]+$/;

export function paymentLink(pay: { network: string; address: string; amount: string }): PaymentLink {
  if (pay.network === 'LIGHTNING') return invoiceLink(pay.address);
  const scheme = schemes[pay.network];
  if (scheme === undefined) return { href: null, qrText: pay.address };
  const target = `${scheme}:${pay.address}`;
  const query = `?amount=${pay.amount}`; // BIP-21: in whole coins, as a plain decimal
  return {
    href: `${target}${query}`,
    qrText: `${bech32.test(pay.address) ? target.toUpperCase() : target}${query}`,
  };
}

/** An invoice says its amount itself. In upper case a code needs fewer modules, and a wallet reads it all the same. */
const invoiceLink = (invoice: string): PaymentLink => {
  const href = `lightning:${invoice}`;
  return { href, qrText: href.toUpperCase() };
};
