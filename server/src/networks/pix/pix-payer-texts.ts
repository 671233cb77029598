/** What payers by Pix read. */
import type { InWords, OfferedAs } from '../port/payer-instructions.ts';

export const offeredAs: OfferedAs = {
  name: {
    en: 'Pix',
    de: 'Pix',
    pt: 'Pix',
    es: 'Pix',
    it: 'Pix',
    tr: 'Pix',
    pl: 'Pix',
    fr: 'Pix',
    ar: 'Pix',
  },
  button: {
    en: 'Pay with Pix',
    de: 'Mit Pix bezahlen',
    pt: 'Pagar com Pix',
    es: 'Pagar con Pix',
    it: 'Paga con Pix',
    tr: 'Pix ile öde',
    pl: 'Zapłać przez Pix',
    fr: 'Payer avec Pix',
    ar: 'ادفع عبر Pix',
  },
  takes: {
    en: 'in seconds',
    de: 'in Sekunden',
    pt: 'em segundos',
    es: 'en segundos',
    it: 'in pochi secondi',
    tr: 'saniyeler içinde',
    pl: 'w kilka sekund',
    fr: 'en quelques secondes',
    ar: 'خلال ثوانٍ',
  },
  howTo: {
    en: 'Open your bank’s app, choose Pix, and scan this code, or copy it and paste it there.',
    de: 'Öffnen Sie die App Ihrer Bank, wählen Sie Pix und scannen Sie diesen Code, oder kopieren Sie ihn und fügen Sie ihn dort ein.',
    pt: 'Abra o aplicativo do seu banco, escolha Pix e leia este código, ou copie-o e use o Pix Copia e Cola.',
    es: 'Abra la app de su banco, elija Pix y escanee este código, o cópielo y péguelo allí.',
    it: 'Apra l’app della Sua banca, scelga Pix e inquadri questo codice, oppure lo copi e lo incolli lì.',
    tr: 'Bankanızın uygulamasını açın, Pix’i seçin ve bu kodu okutun ya da kopyalayıp oraya yapıştırın.',
    pl: 'Otwórz aplikację banku, wybierz Pix i zeskanuj ten kod albo skopiuj go i wklej w niej.',
    fr: 'Ouvrez l’application de votre banque, choisissez Pix et scannez ce code, ou copiez-le et collez-le dans l’application.',
    ar: 'افتح تطبيق مصرفك واختر Pix وامسح هذا الرمز، أو انسخه والصقه هناك.',
  },
};

/** Beneath the code. */
export const takes: InWords = {
  en: 'A Pix payment arrives within seconds, at any hour and on any day.',
  de: 'Eine Zahlung per Pix kommt in Sekunden an, zu jeder Stunde und an jedem Tag.',
  pt: 'O Pix chega em segundos, a qualquer hora e em qualquer dia.',
  es: 'Un pago por Pix llega en segundos, a cualquier hora y cualquier día.',
  it: 'Un pagamento con Pix arriva in pochi secondi, a qualsiasi ora e in qualsiasi giorno.',
  tr: 'Pix ödemesi her gün, günün her saatinde saniyeler içinde ulaşır.',
  pl: 'Płatność Pix dociera w kilka sekund, o każdej porze i każdego dnia.',
  fr: 'Un paiement par Pix arrive en quelques secondes, à toute heure et tous les jours.',
  ar: 'تصل الدفعة عبر Pix خلال ثوانٍ، في أي ساعة وأي يوم.',
};
