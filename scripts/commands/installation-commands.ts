import { randomBytes } from 'node:crypto';
import { skipDepositIndexes } from '@quittance/server/deposits/deposit-index';
import { newIssuerKeypair } from '@quittance/server/lib/strkey';
import { type Command, command, readCount } from '../command-line.ts';
import { curlExample } from '../first-steps.ts';
import { textTable } from '../text-table.ts';

export const installationCommands: readonly Command[] = [
  command({
    name: 'config',
    summary: 'List every setting, its value in this shell, its default and its meaning.',
    examples: ['config'],
    async run({ env }) {
      const { settings } = await import('@quittance/server/settings'); // Loaded only here: it loads every network.
      const data = settings.map(({ name, fallback, meaning, isSecret }) => {
        const value = env[name]?.trim() || null;
        return { name, value: value !== null && isSecret ? '[secret]' : value, fallback, meaning };
      });
      const rows = data.map(({ name, value, fallback, meaning }) => [name, value, fallback, meaning]);
      return { data, text: textTable(['SETTING', 'VALUE', 'DEFAULT', 'MEANING'], rows) };
    },
  }),
  command({
    name: 'secrets create',
    summary: 'Make the secrets of a new installation, as lines for the environment of its processes.',
    details:
      'Nothing is kept: put them where you keep secrets, and give the same to every process. (npm start without them\n' +
      'makes its own, in DATA_DIR.) The last one is a comment, because only the bridge needs it.',
    examples: ['secrets create', 'secrets create >> quittance.env'],
    async run() {
      const { accountId, secretSeed } = newIssuerKeypair();
      const masterKey = randomBytes(32).toString('hex');
      const data = { MASTER_KEY: masterKey, ISSUER_ACCOUNT: accountId, ISSUER_SECRET: secretSeed.reveal() };
      const lines = Object.entries(data).map(([name, value]) => `${name}=${value}`);
      return { data, text: lines.join('\n').replace('ISSUER_SECRET', '# ISSUER_SECRET') };
    },
  }),
  command({
    name: 'curl-example',
    summary: 'Print a command for bash that creates a checkout with curl.',
    details: 'It contains the secret of access.json.',
    examples: ['curl-example', 'curl-example | bash'],
    async run({ openAccess }) {
      const text = curlExample(await openAccess());
      return { data: { command: text }, text };
    },
  }),
  command({
    name: 'deposit-index skip',
    summary: 'After a restore: never hand out the next addresses.',
    details:
      'They may have been given to customers after the backup was made. Skip more than could have been.\n' +
      'The service need not run. If it does, restart every process of it: each keeps some addresses in memory.',
    arguments: ['count'],
    examples: ['deposit-index skip 10000'],
    async run({ withDatabaseAtRest }, { count }) {
      const skipped = readCount('<count>', count, 100_000_000);
      await withDatabaseAtRest((db) => skipDepositIndexes(db, skipped));
      return { data: { skipped }, text: `The next ${skipped} deposit addresses will not be handed out.` };
    },
  }),
];
