import { Secret } from '../lib/secret.ts';

export type MailSettings = {
  readonly smtpUrl: Secret;
  readonly from: { readonly name: string; readonly address: string };
};

const addressForm = '[^\\s@,;:<>"()]+@[^\\s@,;:<>"()]+';
const senderForm = new RegExp(
  `^(?:(?<address>${addressForm})|(?<name>[^<>"\\p{Cc}]*?)\\s*<(?<named>${addressForm})>)$`,
  'u',
);

/** Both settings or neither: half of them would be a promise of receipts that nobody keeps. Null: mail is off. */
export function readMailSettings(
  given: (name: string) => string | undefined,
  problem: (text: string) => undefined,
): MailSettings | null {
  const [smtpUrl, sender] = [given('SMTP_URL'), given('MAIL_FROM')];
  if (smtpUrl === undefined && sender === undefined) return null;
  if (smtpUrl === undefined) problem('SMTP_URL must be set, because MAIL_FROM is.');
  else if (!isSmtpUrl(smtpUrl)) problem('SMTP_URL must be smtp:// or smtps:// with a host, and nothing after it.');
  if (sender === undefined) problem('MAIL_FROM must be set, because SMTP_URL is.');
  const parts = senderForm.exec(sender ?? '')?.groups;
  if (sender !== undefined && !parts)
    problem(`MAIL_FROM must be like Shop <pay@shop.example>, but is ${JSON.stringify(sender)}.`);
  const from = { name: parts?.['name'] ?? '', address: parts?.['address'] ?? parts?.['named'] ?? '' };
  return { smtpUrl: new Secret(smtpUrl ?? ''), from };
}

/** Options in the query would be ignored, and credentials that cannot be decoded would be wrong ones. */
function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}
