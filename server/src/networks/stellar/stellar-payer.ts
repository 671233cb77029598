/** Links of SEP-7, and the address that contains the memo, for wallets that know such addresses. */
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
  /** Null: the public network, which need not be named. */
  readonly passphrase: string | null;
  /** Appends who we are and a signature that wallets can check. Undefined: the operator has no key for it. */
  readonly sign: ((link: string) => string) | undefined;
};

const muxedAddress: InWords = {
  en: 'Way 2: one long address that contains the memo',
  de: 'Weg 2: eine lange Adresse, die das Memo enthält',
  pt: 'Opção 2: um endereço longo que contém o memo',
  es: 'Opción 2: una dirección larga que contiene el memo',
  it: 'Modo 2: un indirizzo lungo che contiene il memo',
  tr: '2. yol: memoyu içeren tek uzun adres',
  pl: 'Sposób 2: jeden długi adres, który zawiera memo',
  fr: 'Option 2\u00a0: une adresse longue qui contient le mémo',
  ar: 'الطريقة 2: عنوان طويل واحد يتضمن المذكرة',
};

const muxedShortly: InWords = {
  en: 'Long address',
  de: 'Lange Adresse',
  pt: 'Endereço longo',
  es: 'Dirección larga',
  it: 'Indirizzo lungo',
  tr: 'Uzun adres',
  pl: 'Długi adres',
  fr: 'Adresse longue',
  ar: 'العنوان الطويل',
};

const holdsMemo: InWords = {
  en: 'This address holds the memo. Enter the amount yourself. If your app does not take the address, copy address and memo under “For a wallet”.',
  de: 'Diese Adresse enthält das Memo. Geben Sie den Betrag selbst ein. Wenn Ihre App die Adresse nicht annimmt, kopieren Sie Adresse und Memo unter „Für Wallets“.',
  pt: 'Este endereço já contém o memo. Digite o valor manualmente. Se o seu aplicativo não aceitar o endereço, copie o endereço e o memo em “Para carteira”.',
  es: 'Esta dirección contiene el memo. Escriba usted el importe. Si su aplicación no la acepta, copie la dirección y el memo en «Para la billetera».',
  it: 'Questo indirizzo contiene il memo. Inserisca lei l’importo. Se la sua app non lo accetta, copi indirizzo e memo in «Per il wallet».',
  tr: 'Bu adres memoyu içerir. Tutarı kendiniz girin. Uygulamanız adresi kabul etmezse adresi ve memoyu “Cüzdan için” bölümünden kopyalayın.',
  pl: 'Ten adres zawiera memo. Kwotę wpisz samodzielnie. Jeśli aplikacja go nie przyjmie, skopiuj adres i memo w zakładce „Do portfela”.',
  fr: 'Cette adresse contient le mémo. Saisissez vous-même le montant. Si votre application ne l’accepte pas, copiez l’adresse et le mémo sous «\u00a0Pour un portefeuille\u00a0».',
  ar: 'هذا العنوان يتضمن المذكرة. أدخل المبلغ بنفسك. وإذا لم يقبل تطبيقك العنوان فانسخ العنوان والمذكرة من «لتطبيق محفظة».',
};

const memoToo: InWords = {
  en: 'Enter the amount and the memo yourself: without the memo your payment cannot be matched to your order.',
  de: 'Geben Sie Betrag und Memo selbst ein: Ohne das Memo kann Ihre Zahlung Ihrer Bestellung nicht zugeordnet werden.',
  pt: 'Digite o valor e o memo manualmente: sem o memo, não conseguimos associar o pagamento ao seu pedido.',
  es: 'Escriba usted el importe y el memo: sin el memo no se puede asignar el pago a su pedido.',
  it: 'Inserisca lei l’importo e il memo: senza il memo il pagamento non può essere abbinato al suo ordine.',
  tr: 'Tutarı ve memoyu kendiniz girin: memo olmadan ödemeniz siparişinizle eşleştirilemez.',
  pl: 'Kwotę i memo wpisz samodzielnie: bez memo nie można przypisać płatności do zamówienia.',
  fr: 'Saisissez vous-même le montant et le mémo\u00a0: sans le mémo, le paiement ne peut pas être associé à votre commande.',
  ar: 'أدخل المبلغ والمذكرة بنفسك: من دون المذكرة لا يمكن ربط دفعتك بطلبك.',
};

/** To the address that holds the memo, where there is one; else the memo has to be typed too. */
export const withoutLink = (address: string, memo: string | null, muxed: string | null) => ({
  fields:
    muxed === null
      ? []
      : [{ name: muxedAddress, shortName: muxedShortly, value: muxed, form: 'code' as const, hint: null }],
  addressOnly:
    muxed === null ? { qrText: address, hint: memo === null ? null : memoToo } : { qrText: muxed, hint: holdsMemo },
});

export const stellarInstructions =
  (sep7: Sep7) =>
  (request: PayerRequest): PayerInstructions => {
    const { assetCode, address, memo } = request;
    const issuer = sep7.issuers.get(assetCode);
    if (issuer === undefined) return plainInstructions(request);
    const href = sep7Link(request, issuer, sep7);
    return {
      ...plainInstructions(request),
      ...withoutLink(address, memo, memo === null ? null : muxedAddressOf(address, memo)),
      link: { href, qrText: href },
      wallet: { kind: 'freighter' },
      wallets: ['LOBSTR', 'Freighter'],
    };
  };

/** A link without the memo would be worse than no link, and a link for a test network must say so. */
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
