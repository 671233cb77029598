/** The mailbox of the sandbox, in place of a mail server that the environment does not name. */
import type { Environment } from '@quittance/server/config';
import type { SandboxFolder, Started } from './sandbox-list.ts';
import { passwordFor } from './sandbox-secrets.ts';

const sender = 'Quittance <mail@sandbox.test>';

/** What a service is told of it; a sender that the environment names stays. */
const mailSettings = (smtpUrl: string, isGiven: (name: string) => boolean): Readonly<Record<string, string>> => ({
  SMTP_URL: smtpUrl,
  ...(!isGiven('MAIL_FROM') && { MAIL_FROM: sender }),
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
