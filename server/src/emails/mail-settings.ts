import { Secret } from '../lib/secret.ts';
import { integer } from '../lib/setting-kinds.ts';
import type { Kind, SettingsReader, SettingTable } from '../lib/setting-table.ts';
import type { MailLimits } from './mail-limits.ts';

export type MailSettings = {
  readonly smtpUrl: Secret;
  readonly from: { readonly name: string; readonly address: string };
};

const addressForm = '[^\\s@,;:<>"()]+@[^\\s@,;:<>"()]+';
const senderForm = new RegExp(
  `^(?:(?<address>${addressForm})|(?<name>[^<>"\\p{Cc}]*)<(?<named>${addressForm})>)$`,
  'u',
);

const smtpUrl: Kind<Secret> = {
  isSecret: true,
  read(given, { name, problem }) {
    if (!isSmtpUrl(given)) problem(`${name} must be smtp:// or smtps:// with a host, and nothing after it.`);
    return new Secret(given);
  },
};

const sender: Kind<MailSettings['from']> = {
  read(given, { name, problem }) {
    const parts = senderForm.exec(given)?.groups;
    if (!parts) problem(`${name} must be like Shop <pay@shop.example>, but is ${JSON.stringify(given)}.`);
    return { name: parts?.['name']?.trimEnd() ?? '', address: parts?.['address'] ?? parts?.['named'] ?? '' };
  },
};

export const mailSettingTable = {
  SMTP_URL: {
    kind: smtpUrl,
    otherwise: 'none: no e-mail',
    meaning:
      'Mail server for receipts and links to refunds: smtps://user:password@mail.example, or smtp:// with port 587.',
  },
  MAIL_FROM: {
    kind: sender,
    otherwise: 'none: no e-mail',
    meaning: 'Sender of receipts and links: Shop payments <pay@example.com>.',
  },
  STATUS_MAILS_PER_ADDRESS: {
    kind: integer(0, 1_000),
    fallback: '12',
    meaning: 'Mails about orders that one address gets on a day (UTC), of all merchants together.',
  },
  STATUS_MAILS_UNPAID_PER_ADDRESS: {
    kind: integer(0, 1_000),
    fallback: '4',
    meaning: 'Of these, those that cost nothing to cause: about unpaid checkouts, and papers that are sent again.',
  },
  STATUS_MAILS_PER_MERCHANT_AND_ADDRESS: {
    kind: integer(0, 1_000),
    fallback: '6',
    meaning: 'Mails about orders that one address gets on a day (UTC) of one merchant.',
  },
  STATUS_MAILS_PER_MERCHANT: {
    kind: integer(0, 1_000_000),
    fallback: '5000',
    meaning: 'Mails about orders that one merchant causes on a day (UTC); what is beyond is not sent.',
  },
  STATUS_MAILS_UNPAID_PER_MERCHANT: {
    kind: integer(0, 100_000),
    fallback: '200',
    meaning: 'Of these, about checkouts for which nobody has sent anything yet; in the sandbox, about any.',
  },
} satisfies SettingTable;

/** Both settings or neither: with half of them, receipts would be promised and never sent. Null: mail is off. */
export function readMailSettings({ of, problem }: SettingsReader): MailSettings | null {
  const value = of(mailSettingTable);
  const [smtpUrl, from] = [value('SMTP_URL'), value('MAIL_FROM')];
  if (smtpUrl === undefined && from !== undefined) problem('SMTP_URL must be set, because MAIL_FROM is.');
  if (smtpUrl !== undefined && from === undefined) problem('MAIL_FROM must be set, because SMTP_URL is.');
  return smtpUrl && from ? { smtpUrl, from } : null;
}

export function readMailLimits({ of }: SettingsReader): MailLimits {
  const value = of(mailSettingTable);
  return {
    perAddress: value('STATUS_MAILS_PER_ADDRESS'),
    unpaidPerAddress: value('STATUS_MAILS_UNPAID_PER_ADDRESS'),
    perMerchantAndAddress: value('STATUS_MAILS_PER_MERCHANT_AND_ADDRESS'),
    perMerchant: value('STATUS_MAILS_PER_MERCHANT'),
    unpaidPerMerchant: value('STATUS_MAILS_UNPAID_PER_MERCHANT'),
  };
}

/** Options in the query would be ignored, and credentials that cannot be decoded would be wrong. */
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
