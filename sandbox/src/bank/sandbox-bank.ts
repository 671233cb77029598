/**
 * The sandbox's bank: the operator has an account in euros and one in dollars here, others pay to them, and payment files
 * are paid from them. Its owner can do what banks and payers do, and what goes wrong with them. It writes and reads every
 * message by itself, so that it proves the service's own readers and writers.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BankDeeds, createBankDeeds } from './bank-deeds.ts';
import { type BankLedger, openBankLedger } from './bank-ledger.ts';
import { type BankAccount, dollarAccount, euroAccount } from './bank-parties.ts';
import { serveBank } from './bank-server.ts';
import { statementMischief } from './statement-mischief.ts';
import type { BankFile } from './write-statement.ts';

export type SandboxBankOptions = {
  readonly user: string;
  readonly password: string;
  /** Where its books are kept between starts. Left out: they are gone with the process. */
  readonly folder?: string;
  /** Statements are laid down here too, by the currency of their account, as a program would that fetches them from a bank. */
  readonly dropFolders?: Readonly<Record<string, string>>;
  /** How often it lays down what is new, without being asked. Left out: never. */
  readonly tellEveryMs?: number;
  /** Payment files are carried out at once, on whatever day: who tries this out does not wait for Monday. */
  readonly isImpatient?: boolean;
  readonly port?: number;
  readonly now?: () => Date;
};

export type SandboxBank = BankDeeds & {
  /** With user and password, for the owner's commands. */
  readonly url: string;
  readonly port: number;
  readonly euro: BankAccount;
  readonly dollar: BankAccount;
  readonly ledger: BankLedger;
  goAway(): void;
  comeBack(): void;
  stop(): Promise<void>;
};

export async function startSandboxBank(options: SandboxBankOptions): Promise<SandboxBank> {
  const { folder, dropFolders = {}, tellEveryMs, isImpatient, now = () => new Date() } = options;
  const accounts = [euroAccount, dollarAccount];
  const ledger = openBankLedger(accounts, folder);
  const folderOf = (iban: string): string | undefined =>
    dropFolders[accounts.find((each) => each.iban === iban)?.currency ?? ''];
  for (const each of Object.values(dropFolders)) mkdirSync(each, { recursive: true });
  const drop = (file: BankFile, account: string): void => {
    const goal = folderOf(account);
    if (goal !== undefined) layDown(goal, file);
  };
  const deeds = createBankDeeds(ledger, now, { drop, isImpatient });
  for (const { iban } of accounts) layDownLost(ledger, iban, folderOf(iban));
  const tell = (): void => {
    for (const { iban } of accounts) deeds.tellNews(iban);
  };
  if (tellEveryMs !== undefined) tell();
  const telling = tellEveryMs === undefined ? undefined : setInterval(tell, tellEveryMs);
  const server = await serveBank({ ...options, deeds, tellsByItself: tellEveryMs !== undefined });
  return {
    ...deeds,
    url: server.url,
    port: server.port,
    euro: euroAccount,
    dollar: dollarAccount,
    ledger,
    goAway: server.goAway,
    comeBack: server.comeBack,
    async stop() {
      clearInterval(telling);
      await server.close();
      ledger.close();
    },
  };
}

/** Whoever watches the folder sees a whole file or none: until then its name begins with a dot. */
function layDown(folder: string, { name, bytes }: BankFile): void {
  const unfinished = join(folder, `.${name}.part`);
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, join(folder, name));
}

/**
 * A statement is issued first and laid down then: after a death in between, the newest of each series may never have been
 * seen, and the next one would not go on from it. `done` and `refused` are where a service puts what it has taken.
 */
function layDownLost(ledger: BankLedger, account: string, folder: string | undefined): void {
  if (folder === undefined) return;
  const newest = new Map(
    ledger.statements.filter((each) => each.account === account).map((each) => [each.kind, each] as const),
  );
  for (const issued of newest.values())
    for (const file of statementMischief.repeat(ledger, issued)) {
      const places = ['', 'done', 'refused'].map((place) => join(folder, place, file.name));
      if (!places.some((place) => existsSync(place))) layDown(folder, file);
    }
}
