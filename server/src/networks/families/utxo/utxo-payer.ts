/**
 * Links of BIP-321. In a QR code a bech32 address is in upper case (BIP-173), which makes the code smaller. The name of
 * the parameter stays in lower case, because wallets expect exactly that.
 */
import { type PayerInstructions, type PayerRequest, plainInstructions } from '../../port/payer-instructions.ts';

const bech32 = /^[a-z]{2,5}1[02-9ac-hj-np-z]+$/;

export const utxoInstructions =
  (scheme: string, wallets: readonly string[]) =>
  (request: PayerRequest): PayerInstructions => {
    const { address, amount, joint: invoice } = request;
    const target = `${scheme}:${address}`;
    const query = `?amount=${amount}`; // In whole coins, as a plain decimal.
    // With an invoice over the same amount, one link and one code work in both kinds of wallets.
    const link = (uri: string, lightning: string | null): string =>
      lightning === null ? `${uri}${query}` : `${uri}${query}&lightning=${lightning}`;
    return {
      ...plainInstructions(request),
      link: {
        href: link(target, invoice),
        qrText: link(bech32.test(address) ? target.toUpperCase() : target, invoice?.toUpperCase() ?? null),
      },
      addressOnly: { qrText: address, hint: null },
      wallets,
    };
  };
