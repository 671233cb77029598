/** Links of SEP-7, and the address that holds the memo, for wallets that know such addresses. */
import {
  type InWords,
  type PayerInstructions,
  type PayerRequest,
  plainInstructions,
} from '../port/payer-instructions.ts';
import { muxedAddressOf } from './muxed-address.ts';

export type Sep7 = {
  /** Of what can be paid with; null: the network's own coin. */
  readonly issuers: ReadonlyMap<string, string | null>;
  /** Null: the public network, which goes without saying. */
  readonly passphrase: string | null;
  /** Appends who we are and a signature that wallets can check. Undefined: the operator has no key for it. */
  readonly sign: ((link: string) => string) | undefined;
};

const muxedAddress: InWords = {
  en: 'Or, without a memo, to this address',
  de: 'Oder ohne Memo an diese Adresse',
  pt: 'Ou, sem memo, para este endereço',
  es: 'O, sin memo, a esta dirección',
  it: 'Oppure, senza memo, a questo indirizzo',
  tr: 'Ya da memo olmadan bu adrese',
  pl: 'Albo bez memo na ten adres',
  fr: 'Ou, sans mémo, à cette adresse',
};

export const muxedField = (value: string | null): PayerInstructions['fields'] =>
  value === null ? [] : [{ name: muxedAddress, value }];

export const stellarInstructions =
  (sep7: Sep7) =>
  (request: PayerRequest): PayerInstructions => {
    const { assetCode, address, memo } = request;
    const issuer = sep7.issuers.get(assetCode);
    if (issuer === undefined) return plainInstructions(request);
    const href = sep7Link(request, issuer, sep7);
    return {
      link: { href, qrText: href },
      fields: muxedField(memo === null ? null : muxedAddressOf(address, memo)),
      wallet: { kind: 'freighter' },
    };
  };

/** A link that leaves out the memo would be worse than none, and one for a test network must say so. */
function sep7Link(
  { address, amount, assetCode, memo }: PayerRequest,
  issuer: string | null,
  { passphrase, sign }: Sep7,
): string {
  const parameters = [
    ['destination', address],
    ['amount', amount],
    ...(issuer === null ? [] : [['asset_code', assetCode] as const, ['asset_issuer', issuer] as const]),
    ...(memo ? [['memo', memo] as const, ['memo_type', 'MEMO_TEXT'] as const] : []),
    ...(passphrase === null ? [] : [['network_passphrase', passphrase] as const]),
  ];
  const link = `web+stellar:pay?${parameters.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
  return sign ? sign(link) : link;
}
