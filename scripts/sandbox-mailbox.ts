/** The mailbox of the sandbox, in place of a mail server that the environment does not name. */
import type { Environment } from '@quittance/server/config';
import type { SandboxFolder, Started } from './sandbox-list.ts';
import { passwordFor } from './sandbox-secrets.ts';

const sender = 'Quittance <mail@sandbox.test>';

/** Nothing is passed on, so nobody has to be kept from being mailed; who tries everything out with one address sees it all. */
const addressLimits = [
  'STATUS_MAILS_PER_ADDRESS',
  'STATUS_MAILS_UNPAID_PER_ADDRESS',
  'STATUS_MAILS_PER_MERCHANT_AND_ADDRESS',
];

/** What a service is told of it; a sender and limits that the environment names stay. */
const mailSettings = (smtpUrl: string, isGiven: (name: string) => boolean): Readonly<Record<string, string>> => ({
  SMTP_URL: smtpUrl,
  ...(!isGiven('MAIL_FROM') && { MAIL_FROM: sender }),
  ...Object.fromEntries(addressLimits.filter((name) => !isGiven(name)).map((name) => [name, '1000'])),
});

/** Values of the same form as those that a start will give. */
export const rehearseMailbox = (env: Environment): Readonly<Record<string, string>> =>
  env['SMTP_URL'] === undefined ? mailSettings('smtp://127.0.0.1', (name) => env[name] !== undefined) : {};

/** Null: the environment names a mail server. `url`: of the page that shows what was sent. */
export async function startSandboxMailbox(folder: SandboxFolder, given: ReadonlySet<string>): Promise<Started | null> {
  if (given.has('SMTP_URL')) return null;
  const { startMailbox } = await import('@quittance/sandbox/mailbox/mailbox');
  const { smtpUrl, pageUrl, stop } = await startMailbox({
    folder: folder.path,
    password: passwordFor(folder, 'mailbox'),
    pageSecret: passwordFor(folder, 'page of the mailbox').slice(0, 32),
  });
  return { settings: mailSettings(smtpUrl, (name) => given.has(name)), url: pageUrl, stop };
}
