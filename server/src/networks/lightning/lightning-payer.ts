import { type PayerInstructions, type PayerRequest, plainInstructions } from '../port/payer-instructions.ts';

/** An invoice says its amount itself. In upper case a code needs fewer modules, and a wallet reads it all the same. */
export function lightningInstructions(request: PayerRequest): PayerInstructions {
  const href = `lightning:${request.address}`;
  return {
    ...plainInstructions(request),
    link: { href, qrText: href.toUpperCase() },
    target: 'invoice',
    isPaidFromExchanges: false, // They pay the invoice to the satoshi, and take their fee besides.
    wallets: ['Phoenix', 'Wallet of Satoshi', 'BlueWallet', 'Zeus'],
  };
}
