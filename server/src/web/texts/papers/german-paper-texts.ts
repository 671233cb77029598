import type { PaperTexts } from '../page-texts.ts';

export const germanPaperTexts: PaperTexts = {
  andMore: '{count, plural, one {und # weitere Zeile} other {und # weitere Zeilen}}',
  paperNumber: 'Nummer',
  issuedOn: 'Ausstellungsdatum',
  creditNote: 'Rechnungskorrektur',
  creditNotePdf: 'Rechnungskorrektur als PDF',
  printCreditNote: 'Rechnungskorrektur drucken',
  corrects: 'Korrigiert',
  paperOfDay: '{paper} {number} vom {day}',
  creditReason: 'Grund',
  creditForRefund: 'Geld wurde zurückgesendet',
  creditForReversal: 'Das Netzwerk hat die Zahlung rückgängig gemacht',
  creditByHand: 'Korrektur durch den Shop',
  creditMovesNoMoney: 'Durch dieses Dokument allein wird kein Geld gesendet.',
  takenBack: 'Storniert',
  priceReduction: 'Preisnachlass',
  creditedPart: 'Teil des Betrags',
  creditedPartUntaxed: 'Teil ohne Steuer',
  furtherRows: 'und {count} weitere',
  manyDocumentsTitle: 'Bitte gleich noch einmal versuchen',
  manyDocumentsText:
    'Gerade werden viele Dokumente erstellt. Laden Sie die Seite in ein paar Sekunden neu; es geht nichts verloren.',
  invoiceXml: 'E-Rechnung (XML)',
  invoiceUbl: 'E-Rechnung für Peppol (UBL)',
  noEInvoiceTitle: 'Hier gibt es keine E-Rechnung',
  noEInvoiceText:
    'Der Shop hat nicht alles angegeben, was eine E-Rechnung braucht. Im PDF steht alles, was sie sagen würde.',
  noEInvoiceOfReceipt: 'Nur Rechnungen und Rechnungskorrekturen haben eine, Quittungen nicht.',
  noEInvoiceVeiled:
    'Eine E-Rechnung nennt den Käufer. Darum bekommt sie nur der Käufer: mit dem Link der E-Mail oder auf der Seite der Rechnung.',
  untaxed_AE: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
  untaxed_G: 'Steuerfreie Ausfuhrlieferung.',
  untaxed_K: 'Steuerfreie innergemeinschaftliche Lieferung.',
  untaxed_O: 'Nicht steuerbar.',
  paperMail_receipt: 'Quittung {number}',
  paperMail_invoice: 'Rechnung {number}',
  paperMail_creditNote: 'Rechnungskorrektur {number}',
  paperMailText:
    '{shop} schickt Ihnen dieses Dokument. Es öffnet sich im Browser und lässt sich dort als PDF speichern.',
  paperMailButton: 'Dokument öffnen',
  paperMailReason: 'Sie bekommen diese E-Mail, weil {shop} uns gebeten hat, Ihnen dieses Dokument zu schicken.',
};
