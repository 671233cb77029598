/** What payers by bank read: the fields by the names that banking apps have for them, and how long it takes. */
import type { InWords } from '../../port/payer-instructions.ts';

const everywhere = (name: string): InWords => ({
  en: name,
  de: name,
  pt: name,
  es: name,
  it: name,
  tr: name,
  pl: name,
  fr: name,
  ar: name,
});

const recipient: InWords = {
  en: 'Recipient',
  de: 'Empfänger',
  pt: 'Beneficiário',
  es: 'Beneficiario',
  it: 'Beneficiario',
  tr: 'Alıcı',
  pl: 'Odbiorca',
  fr: 'Bénéficiaire',
  ar: 'المستفيد',
};

const reference: InWords = {
  en: 'Reference',
  de: 'Verwendungszweck',
  pt: 'Referência',
  es: 'Concepto',
  it: 'Causale',
  tr: 'Açıklama',
  pl: 'Tytuł',
  fr: 'Motif',
  ar: 'مرجع الدفع',
};

const referenceHint: InWords = {
  en: 'Enter this reference and nothing else: without it nobody knows what your payment is for.',
  de: 'Geben Sie nur diesen Verwendungszweck ein: Ohne ihn kann Ihre Zahlung nicht zugeordnet werden.',
  pt: 'Digite só esta referência: sem ela, não conseguimos identificar o pagamento.',
  es: 'Escriba solo este concepto: sin él no se puede identificar el pago.',
  it: 'Inserisca solo questa causale: senza di essa il pagamento non può essere riconosciuto.',
  tr: 'Yalnızca bu açıklamayı girin: o olmadan ödemenizin ne için olduğu anlaşılamaz.',
  pl: 'Wpisz tylko ten tytuł: bez niego nie można rozpoznać płatności.',
  fr: 'Saisissez uniquement ce motif\u00a0: sans lui, le paiement ne peut pas être identifié.',
  ar: 'أدخل هذا المرجع وحده: من دونه لا يمكن التعرف على دفعتك.',
};

const sepa: InWords = {
  en: 'An instant payment arrives within seconds, any other mostly on the next banking day. You can close this page: your payment is recognised by its reference.',
  de: 'Eine Echtzeitüberweisung kommt in Sekunden an, jede andere meist am nächsten Bankarbeitstag. Sie können diese Seite schließen: Ihre Zahlung wird am Verwendungszweck erkannt.',
  pt: 'Uma transferência imediata chega em segundos; as demais, em geral, no próximo dia útil bancário. Você pode fechar esta página: reconhecemos o pagamento pela referência.',
  es: 'Una transferencia inmediata llega en segundos; las demás, por lo general, el siguiente día hábil bancario. Puede cerrar esta página: el pago se reconoce por su concepto.',
  it: 'Un bonifico istantaneo arriva in pochi secondi, gli altri di solito il giorno lavorativo bancario successivo. Può chiudere questa pagina: il pagamento si riconosce dalla causale.',
  tr: 'Anlık ödeme saniyeler içinde, diğerleri çoğunlukla bir sonraki banka iş gününde ulaşır. Bu sayfayı kapatabilirsiniz: ödemeniz açıklamasından tanınır.',
  pl: 'Przelew natychmiastowy dociera w kilka sekund, zwykły najczęściej następnego dnia roboczego banku. Możesz zamknąć tę stronę: płatność rozpoznamy po tytule.',
  fr: 'Un virement instantané arrive en quelques secondes, un autre le plus souvent le jour ouvré bancaire suivant. Vous pouvez fermer cette page\u00a0: votre paiement est reconnu à son motif.',
  ar: 'التحويل الفوري يصل خلال ثوانٍ، وغيره يصل غالبًا في يوم العمل المصرفي التالي. يمكنك إغلاق هذه الصفحة: نتعرف على دفعتك من مرجعها.',
};

const swift: InWords = {
  en: 'It mostly takes two to five banking days. Choose to pay all fees yourself (OUR), so that the full amount arrives.',
  de: 'Es dauert meist zwei bis fünf Bankarbeitstage. Übernehmen Sie alle Gebühren selbst (OUR), damit der volle Betrag ankommt.',
  pt: 'Em geral leva de dois a cinco dias úteis bancários. Escolha pagar todas as tarifas (OUR), para que chegue o valor total.',
  es: 'Suele tardar de dos a cinco días hábiles bancarios. Elija pagar usted todas las comisiones (OUR), para que llegue el importe completo.',
  it: 'Di solito ci vogliono da due a cinque giorni lavorativi bancari. Scelga di pagare tutte le commissioni (OUR), perché arrivi l’importo intero.',
  tr: 'Çoğunlukla iki ila beş banka iş günü sürer. Tutarın tamamının ulaşması için bütün ücretleri kendiniz ödemeyi seçin (OUR).',
  pl: 'Trwa to zwykle od dwóch do pięciu dni roboczych banku. Wybierz pokrycie wszystkich opłat (OUR), aby dotarła pełna kwota.',
  fr: 'Cela prend le plus souvent deux à cinq jours ouvrés bancaires. Choisissez de payer tous les frais (OUR), afin que le montant complet arrive.',
  ar: 'يستغرق ذلك غالبًا من يومين إلى خمسة أيام عمل مصرفية. اختر تحمّل جميع الرسوم (OUR) ليصل المبلغ كاملًا.',
};

export const payerTexts = {
  recipient,
  iban: everywhere('IBAN'),
  bic: everywhere('BIC'),
  reference,
  referenceHint,
  sepa,
  swift,
} as const;
