/** What e-mails say about what waits for a person. Kinds only: what it is about is read in the account, signed in. */
import type { NeedKind } from '../finding/needs-you.ts';

type NeedEmailTexts = {
  readonly subject: string;
  readonly digestSubject: string;
  readonly opening: string;
  readonly more: string;
  readonly change: string;
} & Readonly<Record<NeedKind, string>>;

export const needEmailTexts: Readonly<Record<'en' | 'de', NeedEmailTexts>> = {
  en: {
    subject: '{account}: something needs you',
    digestSubject: '{account}: what waits for you today',
    opening: 'In the account {account} this waits for you:',
    more: 'And {count} more, in Needs you.',
    change: 'What you are told of, and how often, you choose here:',
    policyToApprove: 'A change of the rules waits for approval',
    transferToApprove: 'A transfer waits for approval',
    refundToApprove: 'A refund waits for approval',
    takenBack: 'A payment was taken back by the chain',
    balanceOwed: 'The account owes the operator something',
    underpaid: 'An order is underpaid',
    surplus: 'An order was paid too much, twice or otherwise than asked',
    refundFailed: 'A refund failed',
    claimExpires: 'A refund was not fetched yet, and its link ends soon',
    webhooksGivenUp: 'Webhooks were given up',
    webhooksFailing: 'Webhooks have failed for an hour',
    destinationUsable: 'A destination can be used now',
    noPasskey: 'You have no passkey',
    onlyOneOwner: 'The account has only one owner',
    keyUnused: 'A key was not used for 90 days',
  },
  de: {
    subject: '{account}: Etwas wartet auf Sie',
    digestSubject: '{account}: Was heute auf Sie wartet',
    opening: 'Im Konto {account} wartet das auf Sie:',
    more: 'Und {count} weitere, unter „Für Sie“.',
    change: 'Worüber und wie oft wir Ihnen schreiben, wählen Sie hier:',
    policyToApprove: 'Eine Änderung der Regeln wartet auf Freigabe',
    transferToApprove: 'Eine Auszahlung wartet auf Freigabe',
    refundToApprove: 'Eine Erstattung wartet auf Freigabe',
    takenBack: 'Eine Zahlung wurde von der Blockchain zurückgenommen',
    balanceOwed: 'Das Konto schuldet dem Betreiber etwas',
    underpaid: 'Eine Bestellung ist zu wenig bezahlt',
    surplus: 'Eine Bestellung wurde zu viel, doppelt oder anders bezahlt als verlangt',
    refundFailed: 'Eine Erstattung ist fehlgeschlagen',
    claimExpires: 'Eine Erstattung wurde noch nicht abgeholt, und ihr Link endet bald',
    webhooksGivenUp: 'Webhooks wurden aufgegeben',
    webhooksFailing: 'Webhooks schlagen seit einer Stunde fehl',
    destinationUsable: 'Ein Auszahlungsziel ist jetzt nutzbar',
    noPasskey: 'Sie haben keinen Passkey',
    onlyOneOwner: 'Das Konto hat nur einen Inhaber',
    keyUnused: 'Ein Schlüssel wurde 90 Tage nicht benutzt',
  },
};
