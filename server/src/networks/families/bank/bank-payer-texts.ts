/** What payers by bank read: the fields by the names that banking apps have for them, and how long it takes. */
import type { InWords, OfferedAs } from '../../port/payer-instructions.ts';

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

const sepaBack: InWords = {
  en: 'It usually takes two to five banking days until it is on your account.',
  de: 'Es dauert meist zwei bis fünf Bankarbeitstage, bis das Geld auf Ihrem Konto ist.',
  pt: 'Em geral leva de dois a cinco dias úteis bancários até estar na sua conta.',
  es: 'Suele tardar de dos a cinco días hábiles bancarios en estar en su cuenta.',
  it: 'Di solito ci vogliono da due a cinque giorni lavorativi bancari perché sia sul Suo conto.',
  tr: 'Hesabınıza geçmesi çoğunlukla iki ila beş banka iş günü sürer.',
  pl: 'Zwykle trwa od dwóch do pięciu dni roboczych banku, zanim pieniądze będą na Twoim rachunku.',
  fr: 'Il faut le plus souvent deux à cinq jours ouvrés bancaires pour que l’argent soit sur votre compte.',
  ar: 'يستغرق وصوله إلى حسابك غالبًا من يومين إلى خمسة أيام عمل مصرفية.',
};

const swiftBack: InWords = {
  en: 'It usually takes three to ten banking days until it is on your account, and banks on the way may take a fee.',
  de: 'Es dauert meist drei bis zehn Bankarbeitstage, bis das Geld auf Ihrem Konto ist, und Banken auf dem Weg können Gebühren abziehen.',
  pt: 'Em geral leva de três a dez dias úteis bancários até estar na sua conta, e bancos no caminho podem descontar tarifas.',
  es: 'Suele tardar de tres a diez días hábiles bancarios en estar en su cuenta, y los bancos intermedios pueden descontar comisiones.',
  it: 'Di solito ci vogliono da tre a dieci giorni lavorativi bancari perché sia sul Suo conto, e le banche intermedie possono trattenere commissioni.',
  tr: 'Hesabınıza geçmesi çoğunlukla üç ila on banka iş günü sürer; aradaki bankalar ücret kesebilir.',
  pl: 'Zwykle trwa od trzech do dziesięciu dni roboczych banku, zanim pieniądze będą na Twoim rachunku, a banki po drodze mogą potrącić opłaty.',
  fr: 'Il faut le plus souvent trois à dix jours ouvrés bancaires pour que l’argent soit sur votre compte, et les banques intermédiaires peuvent prélever des frais.',
  ar: 'يستغرق وصوله إلى حسابك غالبًا من ثلاثة إلى عشرة أيام عمل مصرفية، وقد تخصم المصارف الوسيطة رسومًا.',
};

/** As banks print it: what a payment that we sent is called in all of them. */
const endToEnd: InWords = {
  en: 'End-to-end reference',
  de: 'Ende-zu-Ende-Referenz',
  pt: 'Referência ponta a ponta',
  es: 'Referencia de extremo a extremo',
  it: 'Riferimento end-to-end',
  tr: 'Uçtan uca referans',
  pl: 'Referencja end-to-end',
  fr: 'Référence de bout en bout',
  ar: 'المرجع من طرف إلى طرف',
};

export const payerTexts = {
  recipient,
  iban: everywhere('IBAN'),
  bic: everywhere('BIC'),
  reference,
  referenceHint,
  endToEnd,
  sepaBack,
  swiftBack,
  sepa,
  swift,
} as const;

const name: InWords = {
  en: 'Bank transfer',
  de: 'Überweisung',
  pt: 'Transferência bancária',
  es: 'Transferencia bancaria',
  it: 'Bonifico bancario',
  tr: 'Banka havalesi',
  pl: 'Przelew bankowy',
  fr: 'Virement bancaire',
  ar: 'تحويل مصرفي',
};

const button: InWords = {
  en: 'Pay by bank transfer',
  de: 'Per Überweisung bezahlen',
  pt: 'Pagar por transferência',
  es: 'Pagar por transferencia',
  it: 'Paga con bonifico',
  tr: 'Havale ile öde',
  pl: 'Zapłać przelewem',
  fr: 'Payer par virement',
  ar: 'ادفع بتحويل مصرفي',
};

/** Nobody who wants to transfer money looks for the name of a currency. */
export const offeredAs: Readonly<Record<'sepa' | 'swift', OfferedAs>> = {
  sepa: {
    name,
    button,
    takes: {
      en: 'seconds to one banking day',
      de: 'Sekunden bis ein Bankarbeitstag',
      pt: 'de segundos a um dia útil',
      es: 'de segundos a un día hábil',
      it: 'da pochi secondi a un giorno lavorativo',
      tr: 'saniyeler ile bir iş günü arası',
      pl: 'od kilku sekund do jednego dnia roboczego',
      fr: 'de quelques secondes à un jour ouvré',
      ar: 'من ثوانٍ إلى يوم عمل واحد',
    },
    howTo: {
      en: 'Scan the code with your banking app, or copy each line into a new transfer.',
      de: 'Scannen Sie den Code mit Ihrer Banking-App oder kopieren Sie jede Zeile in eine neue Überweisung.',
      pt: 'Leia o código com o aplicativo do seu banco ou copie cada linha para uma nova transferência.',
      es: 'Escanee el código con la app de su banco o copie cada línea en una transferencia nueva.',
      it: 'Inquadri il codice con l’app della Sua banca o copi ogni riga in un nuovo bonifico.',
      tr: 'Kodu banka uygulamanızla okutun ya da her satırı yeni bir havaleye kopyalayın.',
      pl: 'Zeskanuj kod w aplikacji banku albo skopiuj każdy wiersz do nowego przelewu.',
      fr: 'Scannez le code avec l’application de votre banque, ou copiez chaque ligne dans un nouveau virement.',
      ar: 'امسح الرمز بتطبيق مصرفك، أو انسخ كل سطر في تحويل جديد.',
    },
  },
  swift: {
    name,
    button,
    takes: {
      en: 'two to five banking days',
      de: 'zwei bis fünf Bankarbeitstage',
      pt: 'de dois a cinco dias úteis',
      es: 'de dos a cinco días hábiles',
      it: 'da due a cinque giorni lavorativi',
      tr: 'iki ila beş iş günü',
      pl: 'od dwóch do pięciu dni roboczych',
      fr: 'deux à cinq jours ouvrés',
      ar: 'من يومين إلى خمسة أيام عمل',
    },
    howTo: {
      en: 'Copy each line into a new transfer abroad at your bank.',
      de: 'Kopieren Sie jede Zeile in eine neue Auslandsüberweisung bei Ihrer Bank.',
      pt: 'Copie cada linha para uma nova transferência internacional no seu banco.',
      es: 'Copie cada línea en una transferencia internacional nueva en su banco.',
      it: 'Copi ogni riga in un nuovo bonifico estero presso la Sua banca.',
      tr: 'Her satırı bankanızda yeni bir yurt dışı havalesine kopyalayın.',
      pl: 'Skopiuj każdy wiersz do nowego przelewu zagranicznego w swoim banku.',
      fr: 'Copiez chaque ligne dans un nouveau virement international auprès de votre banque.',
      ar: 'انسخ كل سطر في تحويل دولي جديد لدى مصرفك.',
    },
  },
};
