import type { MailTexts } from './mail-texts.ts';

export const polishMailTexts = {
  direction: 'ltr',
  signInSubject: 'Twój link do logowania',
  signInText:
    'Tym linkiem zalogujesz się w przeglądarce, w której o niego poproszono. Działa przez 15 minut, jeden raz:',
  invitationSubject: 'Zaproszenie do konta {account}',
  invitationText: 'Masz zaproszenie do konta {account} w Quittance. Ten link działa przez siedem dni, jeden raz:',
  invitationLaterText:
    'Masz zaproszenie do konta {account} w Quittance. Ten link działa jeden raz, od {from}, przez siedem dni:',
  staffInvitationSubject: 'Zaproszenie do zespołu Quittance',
  staffInvitationText:
    'Masz zaproszenie do zespołu, który prowadzi to Quittance. Ten link działa przez siedem dni, jeden raz:',
  recoverySubject: 'Powrót do konta {account}',
  recoveryText:
    'Uprawniona osoba z konta {account} pozwala Ci zalogować się na nowo. Ten link działa jeden raz, od {from}, przez dwa dni:',
  recoveryAnnouncedSubject: '{name} odzyska dostęp do konta {account}',
  recoveryAnnouncedText:
    '{name} ({email}) nie ma już jak zalogować się do konta {account} i otrzymuje link, który działa od {from}. Jeśli to pomyłka, cofnij go wcześniej na tej stronie:',
  ownerInvitedSubject: '{account} będzie mieć właściciela',
  ownerInvitedText:
    'Operator tej usługi zaprosił {email} jako właściciela konta {account}, które dotąd go nie ma. Link działa od {from}. Jeśli to pomyłka, powiadom operatora wcześniej:',
  approverLostSubject: 'Nie zatwierdzasz już w koncie {account}',
  approverLostText:
    'Uprawniona osoba odebrała Ci dostęp do konta {account} lub nadała Ci rolę, która nie zatwierdza. Przez siedem dni nikt nie zmieni tam limitów w pojedynkę. Jeśli to pomyłka, natychmiast powiadom pozostałych i operatora tej usługi:',
  signUpSubject: 'Potwierdź swój adres e-mail',
  signUpText:
    'Ktoś poprosił o konto w Quittance, podając ten adres e-mail. Jeśli to Ty, przejdź dalej tym linkiem. Działa przez 24 godziny, jeden raz:',
  signUpApprovedSubject: 'Konto {account} jest otwarte',
  signUpApprovedText: 'Operator otworzył dla Ciebie konto {account}. Twoja rola: właściciel. Zaloguj się tutaj:',
  signUpRefusedSubject: 'Konto {account} nie zostało otwarte',
  signUpRefusedText:
    'Operator postanowił nie otwierać konta {account}. Jeśli masz pytania, zwróć się do operatora tej usługi:',
  ignore: 'Jeśli ta wiadomość jest dla Ciebie niespodzianką, możesz ją zignorować.',
  askOperator: 'Pytania? Zwróć się do operatora tej usługi: {contact}',
  exportReadySubject: '{account}: Twój plik jest gotowy',
  exportReadyText: 'Plik zamówiony na koncie {account} jest gotowy. Tylko Ty możesz go pobrać, przez siedem dni:',
  statementSubject: '{account}: wyciąg za {month}',
  statementText: 'Wyciąg z konta {account} za {month} jest dostępny. Możesz go przeczytać tutaj, po zalogowaniu:',
  needsSubject: '{account}: coś na Ciebie czeka',
  needsDigestSubject: '{account}: co dziś na Ciebie czeka',
  needsOpening: 'W koncie {account} czeka na Ciebie:',
  needsMore:
    '{count, plural, one {I jeszcze jedna sprawa w sekcji „Czeka na Ciebie”.} few {I jeszcze # sprawy w sekcji „Czeka na Ciebie”.} many {I jeszcze # spraw w sekcji „Czeka na Ciebie”.} other {I jeszcze # sprawy w sekcji „Czeka na Ciebie”.}}',
  needsChange: 'O czym i jak często piszemy, wybierasz tutaj:',
  need_policyToApprove: 'Zmiana zasad czeka na zatwierdzenie',
  need_transferToApprove: 'Wypłata czeka na zatwierdzenie',
  need_refundToApprove: 'Zwrot czeka na zatwierdzenie',
  need_takenBack: 'Sieć lub bank cofnęły wpłatę',
  need_balanceOwed: 'Konto jest coś winne operatorowi',
  need_underpaid: 'Za zamówienie zapłacono za mało',
  need_surplus: 'Za zamówienie zapłacono za dużo, dwa razy lub inaczej, niż żądano',
  need_refundFailed: 'Zwrot nie powiódł się',
  need_claimExpires: 'Zwrotu jeszcze nie odebrano, a jego link wkrótce wygaśnie',
  need_webhooksGivenUp: 'Zaniechano wysyłania webhooków',
  need_webhooksFailing: 'Webhooki zawodzą od godziny',
  need_destinationUsable: 'Adres docelowy jest już do użycia',
  need_noPasskey: 'Nie masz klucza dostępu',
  need_onlyOneOwner: 'Konto ma tylko jednego właściciela',
  need_keyUnused: 'Klucz API nie był używany od 90 dni',
  need_newHand: 'Ktoś od niedawna zatwierdza albo wraca',
  proveSubject: 'Czy to Twój adres?',
  proveText:
    'Ktoś, kto loguje się do Quittance, mówi, że to jego adres. Jeśli to Ty, otwórz ten link w ciągu doby, w przeglądarce, w której jesteś zalogowany(-a):',
  newHandSubject: '{name} od niedawna zatwierdza w {account}',
  newHandText:
    '{name} ({email}) dołączył(a) do {account}, dostał(a) tam większą rolę, wrócił(a) lub dodał(a) klucz dostępu. Od {from} może tam zatwierdzać albo prosić o to, co zatwierdzają inni. Jeśli to błąd, usuń tę osobę wcześniej i odmów temu, co czeka:',
  credentialSubject: 'Coś nowego otwiera Twoje logowanie',
  credentialText:
    'To dodano do Twojego logowania {at}: {what}. Jeśli to nie Ty, usuń to, zmień hasło i powiadom właściciela konta oraz operatora:',
  credential_passkey: 'klucz dostępu',
  credential_password: 'hasło',
  credential_app: 'aplikacja z kodami',
  credential_codes: 'wydrukowane kody',
} as const satisfies MailTexts;
